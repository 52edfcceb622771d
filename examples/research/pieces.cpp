#include "research/pieces.hpp"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "research/text.hpp"
#include "research/topic.hpp"
#include "research/units.hpp"

namespace research {

using Json = nlohmann::json;

namespace {

Piece piece_of(const Json& finding, std::size_t goal, const std::string& topic) {
  const auto title = finding.at("page").get<std::string>();
  Piece piece;
  piece.title = title;
  piece.goal = goal;
  piece.named = closeness(title, subject_of(topic));
  piece.advises = finding.at("seek") == "advice";
  finding.at("id").get_to(piece.id);
  finding.at("text").get_to(piece.text);
  finding.at("columns").get_to(piece.columns);
  finding.at("path").get_to(piece.page);
  finding.at("heading").get_to(piece.heading);
  finding.at("date").get_to(piece.date);
  finding.at("place").get_to(piece.place);
  finding.at("passage").get_to(piece.passage);
  finding.at("weight").get_to(piece.weight);
  finding.at("newer").get_to(piece.newer);
  const bool defined = is_definition(piece.text, piece.columns);
  piece.is_row = is_row(piece.text, piece.columns);
  piece.is_told = defined && !piece.columns.ends_with('?') && !sentences(piece.text).empty();
  piece.stays = piece.is_row || defined;
  piece.said = said_of(with_term(piece.text, piece.columns), piece.columns, piece.heading, title);
  return piece;
}

}  // namespace

std::vector<Piece> pieces_of(const Json& goals, const std::string& topic) {
  std::vector<Piece> pieces;
  for (std::size_t goal = 0; goal < goals.size(); ++goal) {
    for (const Json& finding : goals[goal].at("findings")) {
      pieces.push_back(piece_of(finding, goal, topic));
    }
  }
  return pieces;
}

bool is_sentence(const Piece& piece) { return !piece.stays && !sentences(piece.text).empty(); }

std::ptrdiff_t in_common(const Piece& one, const Piece& other,
                         const std::vector<std::string>& topic) {
  return std::ranges::count_if(one.said.words, [&](const std::string& term) {
    const bool told = std::ranges::find(topic, term) == topic.end();
    return told && other.said.words.contains(term) && !one.said.figures.contains(term);
  });
}

bool revise(const Piece& one, const Piece& other) {
  return std::ranges::find(one.newer, other.place) != one.newer.end() ||
         std::ranges::find(other.newer, one.place) != other.newer.end();
}

bool is_newer(const Piece& one, const Piece& other) {
  return std::ranges::find(other.newer, one.place) != other.newer.end() ||
         takes_back(one.said, other.said);
}

bool correct(const Piece& one, const Piece& other) {
  return takes_back(one.said, other.said) || takes_back(other.said, one.said);
}

bool draws_none(const Piece& one, const Piece& other) {
  return one.is_told && std::ranges::find(other.newer, one.place) == other.newer.end();
}

bool are_of_one_list(const Piece& one, const Piece& other) {
  const bool alike = one.stays == other.stays && one.is_row == other.is_row;
  if (one.page != other.page || !alike || is_sentence(one) || is_sentence(other)) return false;
  const bool defined = one.stays && !one.is_row;
  return defined || one.columns == other.columns;
}

bool goes_on(const Claim& claim, const Piece& piece) {
  constexpr std::size_t short_enough = 40;  ///< words
  std::size_t sum = count_words(piece.text);
  for (const Piece* one : claim) sum += count_words(one->text);
  const Piece& last = *claim.back();
  return is_sentence(piece) && is_sentence(last) && last.page == piece.page &&
         last.passage == piece.passage && last.place + 1 == piece.place && sum <= short_enough;
}

}  // namespace research
