/// @file
/// What a report may open with.
#pragma once

#include <string>

#include "research/agreement.hpp"

namespace research {

/// Whether a text says something of a thing, by which a report may open: no caption (`Wheels of
/// oak, bought new.`), label (`Opening hours: nine to five`), dated entry, notice in capitals,
/// order (`Walk round the mill`), demand (`A licence is required`), offer of work or of a thesis,
/// and nothing of its day (`Now three are left`).
bool is_statement(const std::string& text);

/// Whether it says what is not so: `We take no dogs`, `… is another matter`.
bool denies(const std::string& text);

/// Whether a text has an amount of money, or a day or a time of day.
bool names_money(const Said& said);
bool names_time(const Said& said);

/// `if …`, `when …`, `from 25 centimetres on`: under which it is so.
bool has_condition(const std::string& text);

}  // namespace research
