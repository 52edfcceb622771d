// One idea: a folder is an input by content. Touching a file runs nothing; changing one runs what
// reads it, and says which one it was. A value may also be a file itself.
#include <filesystem>
#include <fstream>
#include <iostream>

#include <resumable/resumable.hpp>

namespace rs = resumable;

void write(const std::string& path, const std::string& text) { std::ofstream{path} << text; }

int main() {
  std::filesystem::create_directory("sources");
  write("sources/a.txt", "one two three");
  write("sources/b.txt", "four five");

  rs::Pipeline pipeline{"index"};
  const auto sources = pipeline.files("sources", "sources");
  const auto sizes = pipeline.stage("sizes", inputs(each(sources)),
                                    [](const rs::SourceFile& file) { return file.read().size(); });
  const auto copy = pipeline.stage(
      "copy", inputs(sources),
      [](const std::vector<rs::SourceFile>& all) { return rs::File::of(all.front().path); });

  rs::FileStore store{"output"};
  const rs::Report first = rs::resume(pipeline, store, {.run = "r"});
  write("sources/b.txt", "four five six");
  std::cout << rs::ResumePlanner{store}.plan(pipeline, {.run = "r"}).text(true);
  const rs::Report second = rs::resume(pipeline, store, {.run = "r"});
  const bool good = first && second && second.stage("sizes").items_run == 1 &&
                    second[sizes][1] == 13 && second[copy].read() == "one two three";
  return good ? 0 : 1;
}
