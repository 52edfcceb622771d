/// @file
/// What the answer to a broad question tells: answers to what it asks besides, then faults, events
/// and figures.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "insights/selection.hpp"

namespace insights {

/// How a finding bears on the question: not at all, as one more figure where little else is, as
/// what has happened to what it is about, as what is asked for, as the very answer.
enum class Bearing : std::uint8_t { none, filler, beside, asked, direct };

/// Of a broad answer, in this order: what a clause of the question asks to compute comes first.
enum class Part : std::uint8_t { answers, faults, events, figures };

struct Weighed {
  Finding finding;
  Bearing bearing = Bearing::none;
  Part part = Part::figures;
};

/// The part of a broad answer that a finding of a tool belongs to.
[[nodiscard]] Part part_of(const Finding& finding, const std::string& tool);

struct BroadQuestion {
  bool only_faults = false;  ///< it asks what is wrong and nothing else
  bool only_odd = false;     ///< or what is unusual
  bool asks_unusual = false;
  bool asks_months = false;
  bool is_vague = false;  ///< it asks for something that is not understood
};

/// At most 15 lines of `all`, of which the texts are taken.
[[nodiscard]] Selection broad_selection(std::vector<Weighed>& all, const BroadQuestion& question);

}  // namespace insights
