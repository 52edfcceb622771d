/// @file
/// Payloads that are digested while they are read.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "resumable/export.hpp"
#include "resumable/record.hpp"
#include "sha256/sha256.hpp"

namespace resumable::sha256 {

/// Digests a payload as far as it is read from its beginning on. Not safe to use from two threads
/// at once.
class Progress {
 public:
  explicit Progress(const Payload& payload) : payload_(payload) {}

  /// These bytes were read from the offset `at`.
  void saw(std::uint64_t at, std::string_view bytes);
  [[nodiscard]] bool is_whole() const noexcept { return at_ == payload_.size(); }
  /// The digest of all; reads what was not seen yet.
  [[nodiscard]] const std::string& finish();

 private:
  const Payload& payload_;
  Sha256 sum_;
  std::uint64_t at_ = 0;
  std::string hex_;
};

/// Another payload, which is digested while a store reads it.
class Digesting final : public Payload {
 public:
  explicit Digesting(const Payload& next) : next_(next), progress_(next) {}

  [[nodiscard]] std::uint64_t size() const override { return next_.size(); }
  std::size_t read(std::uint64_t at, std::span<char> to) const override;
  [[nodiscard]] std::optional<std::string_view> view() const override { return next_.view(); }
  [[nodiscard]] std::optional<PayloadFile> file() const override { return next_.file(); }

  /// The digest of all bytes; reads those that have not been read.
  [[nodiscard]] const std::string& digest() const { return progress_.finish(); }

 private:
  const Payload& next_;
  mutable Progress progress_;
};

/// The payload, which throws Error{Errc::damaged} where it ends if its SHA-256 is another one than
/// `expected`: now if it is in memory, else once it was read from its beginning to its end.
[[nodiscard]] RESUMABLE_EXPORT std::shared_ptr<const Payload> checked(
    std::shared_ptr<const Payload> payload, std::string expected);

}  // namespace resumable::sha256
