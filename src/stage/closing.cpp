#include "stage/closing.hpp"

#include <fmt/format.h>

#include "resumable/error.hpp"

namespace resumable::stage {

void Closing::close(const detail::Node& node, std::string_view reason) {
  if (node.kind != detail::NodeKind::fan_out) {
    throw Error(Errc::bad_option,
                {.what = fmt::format("stage '{}' cannot be closed: it has no items", node.shown()),
                 .stage = node.shown(),
                 .next = "call close() in a stage that takes each(), or in a queue"});
  }
  const std::scoped_lock lock{guard_};
  if (!reason_) reason_ = reason;
}

void Closing::clear() {
  const std::scoped_lock lock{guard_};
  reason_.reset();
}

std::optional<std::string> Closing::reason() const {
  const std::scoped_lock lock{guard_};
  return reason_;
}

}  // namespace resumable::stage
