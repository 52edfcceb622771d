#include "review/later.hpp"

#include <cstddef>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "research/agreement.hpp"
#include "research/dates.hpp"
#include "research/revisions.hpp"
#include "review/text.hpp"

namespace review {
namespace {

constexpr int head_lines = 6;
constexpr std::size_t longest_line = 90;  // bytes; a longer one is prose, and may tell of the past
constexpr const char* before_all = "0";   // sorts before any date
constexpr double bearing = 0.5;           // all files are on the subject

}  // namespace

std::string date_of(const std::string& name, std::string_view markdown) {
  if (auto found = research::date_in(name)) return *found;
  std::istringstream text{std::string{markdown}};
  int seen = 0;
  for (std::string line; seen < head_lines && std::getline(text, line);) {
    if (line.find_first_not_of(" \r") == line.npos) continue;
    ++seen;
    if (line.size() > longest_line) continue;
    if (auto found = research::date_in(line)) return *found;
  }
  return {};
}

Source source_of(std::string name, std::string_view markdown) {
  std::string date = date_of(name, markdown);
  return {std::move(name), std::move(date), sentences_of(markdown)};
}

std::vector<std::vector<std::string>> later_than(const Source& source,
                                                 const std::vector<Source>& all) {
  std::vector<research::Said> said;
  std::vector<research::Origin> origins;
  std::vector<std::string> lines;
  const auto add = [&](const Source& one) {
    for (const std::string& sentence : one.sentences) {
      said.push_back(research::said_of(sentence));
      origins.push_back({one.date.empty() ? before_all : one.date, bearing});
      lines.push_back(fmt::format("Later, in {}: {}", one.name, sentence));
    }
  };
  add(source);
  for (const Source& one : all) {
    if (one.name != source.name) add(one);
  }
  const research::Revisions revisions{said, origins};
  std::vector<std::vector<std::string>> later(source.sentences.size());
  for (std::size_t i = 0; i < later.size(); ++i) {
    for (const std::size_t newer : revisions.of(i)) later[i].push_back(lines[newer]);
  }
  return later;
}

}  // namespace review
