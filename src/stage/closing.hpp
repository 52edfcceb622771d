/// @file
/// `ctx.close`: an item closes the fan-out that it belongs to.
#pragma once

#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "core/graph.hpp"

namespace resumable::stage {

/// Of one attempt. Safe to use from several threads.
class Closing {
 public:
  /// The first reason counts. @throws Error{Errc::bad_option}
  void close(const detail::Node& node, std::string_view reason);
  void clear();
  [[nodiscard]] std::optional<std::string> reason() const;

 private:
  mutable std::mutex guard_;
  std::optional<std::string> reason_;
};

}  // namespace resumable::stage
