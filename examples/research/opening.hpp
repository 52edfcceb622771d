/// @file
/// What a report may open with.
#pragma once

#include <string>

namespace research {

/// Whether a text says something of a thing, by which a report may open: no caption (`Wheels of
/// oak, bought new.`), label (`Opening hours: nine to five`), dated entry, notice in capitals,
/// order (`Walk round the mill`), demand (`A licence is required`), offer of work or of a thesis,
/// and nothing of its day (`Now three are left`).
bool is_statement(const std::string& text);

}  // namespace research
