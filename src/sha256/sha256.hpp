/// @file
/// SHA-256 (FIPS 180-4), by OpenSSL.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "resumable/export.hpp"

namespace resumable::sha256 {

/// Of content that arrives in parts. Not safe to use from two threads at once.
class RESUMABLE_EXPORT Sha256 {
 public:
  /// @throws Error{Errc::store_failed}  OpenSSL has none
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void add(std::string_view bytes);
  /// 64 lower-case hexadecimal digits of everything that was added. After this, call reset() before
  /// add().
  [[nodiscard]] std::string finish();
  void reset();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace resumable::sha256
