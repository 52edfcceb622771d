/// @file
/// Counts which facts of a set of questions (answerable.json) the answers of insights state.
#pragma once

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace insights::testing {

/// One question of a set, what was answered, and which of its facts the answer does not state.
struct Answered {
  std::string prompt;
  std::string text;
  std::size_t facts = 0;
  std::vector<std::string> missed;
};

/// The numbers of a text; 12,345.6 is one. Those of lines in files are none: `sales.csv:5–12`.
inline std::vector<double> numbers_in(const std::string& text) {
  static const std::regex place{R"(\S+\.[ct]sv:\d+((–|…)(\S+\.[ct]sv:)?\d+)?)"};
  static const std::regex number{R"(\d+(,\d{3})*(\.\d+)?)"};
  const std::string line = std::regex_replace(text, place, " ");
  std::vector<double> all;
  for (std::sregex_iterator at{line.begin(), line.end(), number}, end; at != end; ++at) {
    std::string digits = at->str();
    std::erase(digits, ',');
    all.push_back(std::stod(digits));
  }
  return all;
}

/// Whether a line has all words of the fact, and of each list of numbers one, to half a per cent.
inline bool states(const std::string& line, const nlohmann::json& fact) {
  for (const auto& word : fact.at("words")) {
    const std::regex wanted{word.get<std::string>(), std::regex::icase};
    if (!std::regex_search(line, wanted)) return false;
  }
  const std::vector<double> numbers = numbers_in(line);
  return std::ranges::all_of(fact.at("numbers"), [&](const auto& list) {
    return std::ranges::any_of(list, [&](const auto& wanted) {
      const double value = wanted.template get<double>();
      return std::ranges::any_of(
          numbers, [&](double n) { return std::abs(n - value) <= 0.005 * std::abs(value); });
    });
  });
}

/// Asks each question of the folder's answerable.json.
/// @param ask  gives the answer's text to a request and the folder of its tables
template <class Ask>
std::vector<Answered> answered(const std::filesystem::path& folder, Ask ask) {
  std::ifstream in{folder / "answerable.json"};
  const auto set = nlohmann::json::parse(in);
  std::vector<Answered> all;
  for (const auto& question : set.at("questions")) {
    Answered one{question.at("prompt"), "", question.at("facts").size(), {}};
    one.text = ask(nlohmann::json{{"systemId", set.at("systemId")},
                                  {"contextWindowDays", set.at("contextWindowDays")},
                                  {"customPrompt", one.prompt}},
                   folder);
    std::vector<std::string> lines;
    std::istringstream text{one.text};
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    for (const auto& fact : question.at("facts")) {
      const bool is_stated =
          std::ranges::any_of(lines, [&](const std::string& line) { return states(line, fact); });
      if (!is_stated) one.missed.push_back(fact.at("fact"));
    }
    all.push_back(std::move(one));
  }
  return all;
}

}  // namespace insights::testing
