/// @file
/// Which server, database and schema a store is in, and how it may be named in messages.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "resumable/postgres_store.hpp"

namespace resumable::postgres {

struct Target {
  std::vector<std::pair<std::string, std::string>> keywords;  ///< libpq's, with the password
  PostgresStoreOptions options;
  std::string url;  ///< without secrets

  /// `text` with the secrets of the keywords masked.
  [[nodiscard]] std::string masked(std::string text) const;
};

/// @throws Error{Errc::bad_option}
[[nodiscard]] Target target_of(std::string_view url, const PostgresStoreOptions& options);

/// Moves what is an option of the store from the URL's query to `options`.
/// @throws Error{Errc::bad_option}
[[nodiscard]] std::string take_options(std::string_view url, PostgresStoreOptions& options);

}  // namespace resumable::postgres
