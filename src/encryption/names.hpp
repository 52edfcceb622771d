/// @file
/// The paths of records: each component is sealed deterministically, so that a record can be found
/// by its name and a prefix scan remains a prefix scan.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "encryption/keys.hpp"

namespace resumable::encryption {

/// Below this path, there is a record for each component whose sealed form would be too long; its
/// header is that component.
inline constexpr std::string_view book_folder = "@names/";

/// A path as the next store sees it.
struct SealedPath {
  std::string path;
  /// The records of names that are too long: `@names/~…` and the component.
  std::map<std::string, std::string> book{};
};

class Names {
 public:
  /// The component of which `~…` is a short form, or nullopt.
  using Book = std::function<std::optional<std::string>(const std::string& brief)>;

  explicit Names(std::shared_ptr<const RunKeys> keys) : keys_(std::move(keys)) {}

  [[nodiscard]] SealedPath seal(std::string_view path) const;
  /// A prefix of all sealed paths that begin with `prefix`, by whole components.
  [[nodiscard]] std::string seal_prefix(std::string_view prefix) const;
  /// nullopt when it is not what seal() gave with these keys.
  [[nodiscard]] std::optional<std::string> open(std::string_view sealed, const Book& book) const;

 private:
  [[nodiscard]] std::string component(std::string_view parent, std::string_view name,
                                      SealedPath& to) const;

  std::shared_ptr<const RunKeys> keys_;
};

}  // namespace resumable::encryption
