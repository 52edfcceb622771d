#include "review/later.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>

#include "research/agreement.hpp"
#include "research/dates.hpp"
#include "research/figures.hpp"
#include "research/revisions.hpp"
#include "research/text.hpp"
#include "review/text.hpp"

namespace review {
namespace {

constexpr int head_lines = 6;
constexpr std::size_t longest_line = 90;  // bytes; a longer one is prose, and may tell of the past
constexpr const char* before_all = "0";   // sorts before any date
constexpr double bearing = 0.5;           // all files are on the subject

/// What a sentence says, without the date of its file: that tells when it was written, as the date
/// of a letter does, and nothing of its subject.
research::Said said_in(const Source& source, const std::string& sentence) {
  research::Said said = research::said_of(sentence);
  const auto dates = said.figures.find("date");
  if (source.date.empty() || dates == said.figures.end()) return said;
  std::erase_if(dates->second, [&](const std::string& date) {
    return research::are_same("date", date, source.date);
  });
  if (dates->second.empty()) said.figures.erase(dates);
  return said;
}

std::set<std::string> years_in(const std::string& sentence) {
  std::set<std::string> years;
  for (std::string& word : research::words(sentence)) {
    const bool century = word.starts_with("19") || word.starts_with("20");
    const bool digits = std::ranges::all_of(
        word, [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; });
    if (word.size() == 4 && century && digits) years.insert(std::move(word));
  }
  return years;
}

/// Whether both may be about one time. A year that was over when a text was written stays as it
/// was: only a text that names that year has something newer about it.
/// @param written  when; empty if nothing tells
bool may_be_of_one_time(const std::string& written, const std::string& sentence,
                        const std::string& later) {
  const auto years = years_in(sentence);
  if (written.empty() || years.empty() || *years.rbegin() >= written.substr(0, 4)) return true;
  return std::ranges::any_of(years_in(later),
                             [&](const std::string& year) { return years.contains(year); });
}

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
  std::vector<std::string> sentences;
  std::vector<std::string> lines;
  const auto add = [&](const Source& one) {
    for (const std::string& sentence : one.sentences) {
      said.push_back(said_in(one, sentence));
      origins.push_back({one.date.empty() ? before_all : one.date, bearing});
      sentences.push_back(sentence);
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
    for (const std::size_t newer : revisions.of(i)) {
      // What has no date was written before what is newer, so it may be of the same year.
      const std::string& written = source.date.empty() ? origins[newer].date : source.date;
      if (may_be_of_one_time(written, sentences[i], sentences[newer]))
        later[i].push_back(lines[newer]);
    }
  }
  return later;
}

}  // namespace review
