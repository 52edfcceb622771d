// One idea: files for people. Each item is exported to a file, and all of them are appended to one
// book. A missing file is restored; an edited one is never overwritten.
#include <filesystem>
#include <fstream>
#include <iostream>

#include <resumable/resumable.hpp>

namespace rs = resumable;

struct Chapter {
  std::string title, text;
  std::string markdown() const { return "# " + title + "\n" + text + "\n"; }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Chapter, title, text)

rs::Report write_book(const std::string& hero) {
  rs::Pipeline book{"book"};
  const auto name = book.input("hero", hero);
  const auto titles = book.input("titles", std::vector<std::string>{"Sea", "Land", "Air"});
  const auto chapters = book.stage("chapters", inputs(each(titles), name),
                                   [](const std::string& title, const std::string& who) {
                                     return Chapter{title, who + " travels by " + title + "."};
                                   });
  book.artifact(chapters, "chapters/{position:02}-{item:slug}.md", &Chapter::markdown);
  book.append(chapters, "book.md", &Chapter::markdown);

  rs::FileStore store{"output"};
  rs::Report report = rs::resume(book, store, {.run = "first"});
  std::cout << to_string(report.outcome()) << '\n';
  if (report.error()) std::cout << report.error()->explain() << '\n';
  return report;
}

int main() {
  const std::filesystem::path chapter = "output/first/chapters/02-land.md";
  const bool written = write_book("Ada") && std::filesystem::exists(chapter);

  std::filesystem::remove(chapter);
  const bool restored = write_book("Ada") && std::filesystem::exists(chapter);

  std::ofstream{chapter, std::ios::app} << "A sentence by a person.\n";
  const bool refused = write_book("Bob").exit_code() == 3;
  return written && restored && refused ? 0 : 1;
}
