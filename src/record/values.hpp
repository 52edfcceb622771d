/// @file
/// Loads stages' values from the store.
#pragma once

#include <string>
#include <string_view>

#include "core/graph.hpp"
#include "plan/state.hpp"
#include "record/read_ahead.hpp"
#include "record/run_facts.hpp"
#include "resumable/error.hpp"

namespace resumable::record {

/// The value of one record, proved, migrated and decoded.
/// @throws DamagedRecord; Error{Errc::not_decodable} with stage and file, Error{Errc::no_value}
[[nodiscard]] detail::AnyValue load_record(const detail::Graph& graph, const RunFacts& facts,
                                           std::uint32_t node, std::string_view item);

/// The same, with what `ahead` reads.
[[nodiscard]] detail::AnyValue load_record(const detail::Graph& graph, const RunFacts& facts,
                                           std::uint32_t node, std::string_view item,
                                           ReadAhead& ahead);

/// Expects the value of an item, if it has one.
void expect_item(ReadAhead& ahead, const RunFacts& facts, std::string_view stage,
                 std::string_view item);

/// Puts stage, item and file into an Error that comes from a codec.
[[noreturn]] void rethrow_with_place(const Error& error, std::string_view stage,
                                     std::string_view item, const std::string& file);

}  // namespace resumable::record
