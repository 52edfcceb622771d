// One idea: files for people. Each item is exported to a file, and all of them are appended to one
// book. A missing file is restored; what a person edits becomes the value.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <stdexcept>

#include <resumable/resumable.hpp>

namespace rs = resumable;

struct Chapter {
  std::string title, text;
  std::string markdown() const { return "# " + title + "\n" + text + "\n"; }
};
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Chapter, title, text)

Chapter from_markdown(const std::string& text, const Chapter& before) {
  const std::size_t line = text.find('\n');
  if (!text.starts_with("# ") || line == text.npos || !text.ends_with('\n')) {
    throw std::invalid_argument("a chapter is a line with its title, and its text");
  }
  return {before.title, text.substr(line + 1, text.size() - line - 2)};
}

rs::Report write_book(const std::string& hero) {
  rs::Pipeline book{"book"};
  const auto name = book.input("hero", hero);
  const auto titles = book.input("titles", std::vector<std::string>{"Sea", "Land", "Air"});
  const auto chapters = book.stage("chapters", inputs(each(titles), name),
                                   [](const std::string& title, const std::string& who) {
                                     return Chapter{title, who + " travels by " + title + "."};
                                   });
  book.artifact(chapters, "chapters/{position:02}-{item:slug}.md", &Chapter::markdown,
                from_markdown);
  book.append(chapters, "book.md", &Chapter::markdown);

  rs::FileStore store{"output"};
  rs::Report report = rs::resume(book, store, {.run = "first"});
  std::cout << to_string(report.outcome()) << '\n';
  if (report.error()) std::cout << report.error()->explain() << '\n';
  return report;
}

bool book_has(const std::string& sentence) {
  std::stringstream text;
  text << std::ifstream{"output/first/book.md"}.rdbuf();
  return text.str().find(sentence) != std::string::npos;
}

int main() {
  const std::filesystem::path chapter = "output/first/chapters/02-land.md";
  const bool written = write_book("Ada") && std::filesystem::exists(chapter);

  std::filesystem::remove(chapter);
  const bool restored = write_book("Ada") && std::filesystem::exists(chapter);

  // What a person adds to a chapter is in the book, too.
  std::ofstream{chapter, std::ios::app} << "A sentence by a person.\n";
  const bool edited = write_book("Ada") && book_has("A sentence by a person.");
  return written && restored && edited ? 0 : 1;
}
