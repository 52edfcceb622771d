/// @file
/// The tables and views of the database, and how an older database becomes a current one.
#pragma once

#include <cstdint>

#include "sqlite/database.hpp"

namespace resumable::sqlite {

/// Of the database, in `PRAGMA user_version`.
inline constexpr std::int64_t schema_version = 3;

/// Whether the database is one of ours that this program knows. false: it has no tables yet.
/// @throws Error{Errc::newer}, Error{Errc::foreign}
[[nodiscard]] bool check_schema(Connection& connection);

/// Makes the tables, or brings them from an older version to this one; in a transaction.
/// `to`: for tests of older databases.
/// @throws Error{Errc::newer}, Error{Errc::foreign}
void migrate(Connection& connection, std::int64_t to = schema_version);

}  // namespace resumable::sqlite
