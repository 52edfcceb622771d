/// @file
/// Findings as a report places them, and which of them belong together.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "research/agreement.hpp"

namespace research {

/// A finding as the report places it.
struct Piece {
  std::size_t id = 0;
  std::size_t goal = 0;  ///< position
  std::string text;
  std::string columns;  ///< as Finding::columns
  std::string page;     ///< its path
  std::string title;
  std::size_t named = 0;  ///< how closely the title of its page names the topic
  bool advises = false;
  std::string heading;
  std::string date;
  std::size_t place = 0;
  std::size_t passage = 0;
  std::size_t weight = 0;
  bool is_row = false;
  bool is_told = false;  ///< a definition in sentences, no answer: it speaks of its term alone
  bool stays = false;    ///< a row or a definition: it is read with those around it
  std::vector<std::size_t> newer;  ///< places
  Said said;
};

/// A thing that a page says, with what other pages say of it.
using Claim = std::vector<const Piece*>;

/// @param goals  of the task `synthesize`
std::vector<Piece> pieces_of(const nlohmann::json& goals, const std::string& topic);

bool is_sentence(const Piece& piece);

/// How many terms two pieces share that are neither units of their figures nor of the topic.
std::ptrdiff_t in_common(const Piece& one, const Piece& other,
                         const std::vector<std::string>& topic);

/// Whether one of them likely has a newer figure for what the other says.
bool revise(const Piece& one, const Piece& other);

/// Whether the first likely has a newer figure for what the other says, or takes it back.
bool is_newer(const Piece& one, const Piece& other);

/// Whether one of them takes back what the other says.
bool correct(const Piece& one, const Piece& other);

/// Whether it is told of its term alone, and has no newer figure for what the other says.
bool draws_none(const Piece& one, const Piece& other);

/// Rows of a table, items of a list or definitions: they are read together.
bool are_of_one_list(const Piece& one, const Piece& other);

/// Whether a sentence goes on where a claim ends, in the same paragraph of its page, and both are
/// short.
bool goes_on(const Claim& claim, const Piece& piece);
}  // namespace research
