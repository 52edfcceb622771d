/// @file
/// Objects of one bucket: stored, read, listed, removed.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "resumable/function_ref.hpp"
#include "resumable/lease.hpp"
#include "resumable/record.hpp"
#include "resumable/s3.hpp"
#include "s3/http.hpp"

namespace resumable::s3 {

struct Listed {
  std::string key;
  std::uint64_t size = 0;
};

/// 64 hexadecimal digits.
[[nodiscard]] std::string sha256_of(const Payload& payload);

/// Safe to use from several threads.
class Objects {
 public:
  explicit Objects(const S3Options& options) : http_(options) {}

  [[nodiscard]] const Target& target() const noexcept { return http_.target(); }
  [[nodiscard]] std::string url_of(std::string_view key) const { return http_.url_of(key); }

  /// Durable on return. A large one is sent in parts.
  /// @throws Error{Errc::store_failed}, Error{Errc::cancelled}, Error{Errc::forked}
  void put(std::string_view key, const Payload& payload, std::string_view sha256, const Wait& wait);

  /// `size` bytes from the offset `at` of an object that has `whole`. Fewer or more than that if
  /// the object has another size; nullopt if there is none.
  /// @throws Error{Errc::unreadable}, Error{Errc::cancelled}, Error{Errc::forked}
  [[nodiscard]] std::optional<std::string> get(std::string_view key, std::uint64_t at,
                                               std::uint64_t size, std::uint64_t whole,
                                               const Wait& wait);

  /// Its size; nullopt if there is none. @throws as get()
  [[nodiscard]] std::optional<std::uint64_t> size_of(std::string_view key, const Wait& wait);

  /// Visits all whose keys begin with `prefix`. @throws as get()
  void list(std::string_view prefix, FunctionRef<void(Listed)> visit, const Wait& wait);

  /// Not an error if there is none. @throws as put()
  void remove(std::string_view key, const Wait& wait);

 private:
  void put_in_parts(std::string_view key, const Payload& payload, const Wait& wait);
  [[nodiscard]] std::string put_part(std::string_view key, const std::string& query,
                                     const Payload& part, const Wait& wait);
  void complete(std::string_view key, const std::string& upload, const std::string& parts,
                std::uint64_t size, const Wait& wait);

  Http http_;
};

}  // namespace resumable::s3
