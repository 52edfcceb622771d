// What a report states of the facts that a data set's facts.json lists by hand.
#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "review/commands.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

namespace review::testing {
namespace {

namespace fs = std::filesystem;
using resumable::test::read_file;
using Parts = std::vector<std::string>;

struct DataSet {
  std::string name;
  std::size_t stated = 0;  ///< facts, at least
  std::size_t alone = 0;   ///< outdated figures without the later one, at most
};

fs::path data_of(const std::string& name) {
  return resumable::test::source_folder() / "examples/data" / name;
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

std::size_t words_of(const std::string& text) {
  std::istringstream words{text};
  return static_cast<std::size_t>(std::distance(std::istream_iterator<std::string>{words}, {}));
}

/// Without marks of emphasis and of lists, and on one line.
std::string plain(const std::string& markdown) {
  const std::string text =
      std::regex_replace(markdown, std::regex{"[*`]|\n *(-|[0-9]{1,3}\\.) "}, "");
  return std::regex_replace(text, std::regex{"\\s+"}, " ");
}

/// The texts that a report is made from.
std::string sources_in(const fs::path& folder) {
  std::string all;
  for (const auto& file : fs::recursive_directory_iterator{folder}) {
    const fs::path& path = file.path();
    if (path.extension() == ".md" && path.stem() != "PROVENANCE") all += "\n" + read_file(path);
  }
  return all;
}

void review(std::vector<std::string> words, const fs::path& out, int code) {
  words.insert(words.begin(), "review");
  words.insert(words.end(), {"--out", out.string()});
  std::vector<const char*> argv;
  for (const std::string& word : words) argv.push_back(word.c_str());
  std::ostringstream said;
  resumable::cli::Console console{said, said};
  EXPECT_EQ(command(static_cast<int>(argv.size()), argv.data(), console), code) << said.str();
}

/// As it is made for a person who agrees to everything.
std::string report_on(const fs::path& sources) {
  const resumable::test::TempFolder folder;
  review({"run", "r", "--sources", sources.string()}, folder.path(), 75);
  review({"continue", "r"}, folder.path(), 75);
  review({"continue", "r"}, folder.path(), 0);
  return read_file(folder / "r/report.md");
}

std::vector<std::string> sections_of(const std::string& report) {
  std::vector<std::string> sections;
  for (std::size_t at = report.find("\n## "); at != report.npos;) {
    const std::size_t end = report.find("\n## ", at + 1);
    sections.push_back(report.substr(at, end - at));
    at = end;
  }
  return sections;
}

class Facts : public ::testing::TestWithParam<DataSet> {};

TEST_P(Facts, AreStatedInTheWordsOfTheSourcesWithLaterFiguresBesideTheOutdated) {
  const fs::path folder = data_of(GetParam().name);
  const auto table = nlohmann::json::parse(read_file(folder / "facts.json"));
  const std::string report = report_on(folder);
  const auto sections = sections_of(report);
  std::size_t stated = 0;
  const auto facts = table.at("facts").get<std::vector<Parts>>();
  for (const Parts& fact : facts) {
    const bool found = std::ranges::any_of(sections, [&](const std::string& section) {
      return std::ranges::all_of(fact, [&](const auto& part) { return holds(section, part); });
    });
    stated += found ? 1U : 0U;
    if (!found) std::cout << "not stated: " << fact.front() << "\n";
  }
  std::size_t alone = 0;
  for (const auto& pair : table.at("superseded")) {
    for (const std::string& section : sections) {
      if (!holds(section, pair.at("was")) || holds(section, pair.at("now"))) continue;
      ++alone;
      std::cout << "stands alone: " << pair.at("was") << "\n";
    }
  }
  const std::string sources = sources_in(folder);
  const std::string plain_sources = plain(sources);
  for (const std::string& section : sections) {
    std::istringstream lines{section.substr(section.find("\n\n") + 2)};
    for (std::string line; std::getline(lines, line);) {
      const std::string said = std::regex_replace(line, std::regex{"^Later, in \\S+: "}, "");
      EXPECT_TRUE(holds(plain_sources, said)) << said;
    }
  }
  std::cout << fmt::format("{}: {} of {} facts; {} of {} words\n", GetParam().name, stated,
                           facts.size(), words_of(report), words_of(sources));
  EXPECT_GE(stated, GetParam().stated);
  EXPECT_LE(alone, GetParam().alone);
  EXPECT_LT(words_of(report) * 3, words_of(sources) * 2) << "it is a copy of its sources";
}

INSTANTIATE_TEST_SUITE_P(Review, Facts,
                         ::testing::Values(DataSet{"review-hall", 15},
                                           DataSet{"review-falls", 15, 1},
                                           DataSet{"review-outage", 11, 1}),
                         [](const auto& test) { return test.param.name.substr(7); });

/// Words of five letters and more with a capital inside a sentence.
std::set<std::string> names_in(const std::string& text) {
  std::set<std::string> names;
  const std::regex name{"[a-z,] ([A-Z][a-z]{4,})"};
  for (std::sregex_iterator at{text.begin(), text.end(), name}, end; at != end; ++at) {
    names.insert(at->str(1));
  }
  return names;
}

std::set<std::string> split(const std::string& text) {
  std::set<std::string> words;
  const std::regex word{"[A-Za-z]+"};
  for (std::sregex_iterator at{text.begin(), text.end(), word}, end; at != end; ++at) {
    words.insert(at->str());
  }
  return words;
}

TEST(ReviewProgram, HoldsNoNameOfADataSet) {
  std::set<std::string> names;
  for (const char* set : {"review-hall", "review-falls", "review-outage"}) {
    names.merge(names_in(sources_in(data_of(set))));
  }
  for (const char* month : {"March", "April", "August", "September", "October"}) {
    names.erase(month);  // which any text may name
  }
  ASSERT_GT(names.size(), 40U);
  for (const auto& file :
       fs::directory_iterator{resumable::test::source_folder() / "examples/review"}) {
    if (file.path().extension() == ".md") continue;
    const auto words = split(read_file(file.path()));
    for (const std::string& name : names) {
      EXPECT_FALSE(words.contains(name)) << name << " in " << file.path().filename();
    }
  }
}

}  // namespace
}  // namespace review::testing
