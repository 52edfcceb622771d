/// @file
/// The tables, and the errors of a database that has others.
#pragma once

#include <cstdint>
#include <string>

namespace resumable::postgres {

class Connection;
struct Limit;
struct Target;

/// Of the tables, in the table `version`.
inline constexpr std::int64_t schema_version = 2;

/// From which on there are `work` and `workers`.
inline constexpr std::int64_t version_with_work = 2;

/// The oldest server that has all that is used here.
inline constexpr std::int64_t oldest_server = 130'000;

/// Makes the tables where they are missing, and brings older ones up to date; another process may
/// be doing the same.
/// @throws Refused, ConnectionLost; Error{Errc::newer}, Error{Errc::foreign}
void make_tables(Connection& connection, const Target& target, const Limit& limit);

}  // namespace resumable::postgres
