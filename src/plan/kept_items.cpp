#include "plan/kept_items.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "core/key.hpp"
#include "core/little_endian.hpp"

namespace resumable::plan {

using detail::Arg;
using detail::ArgKind;

namespace {

bool is_own(const Arg& arg) { return arg.kind == ArgKind::each || arg.kind == ArgKind::matching; }

}  // namespace

Decider::KeptItems::KeptItems(const Decider& decider, std::uint32_t node, const NodeState& state,
                              std::span<const NodeState> before)
    : decider_(decider), node_(node), state_(state), before_(before) {
  path_ = decider.graph_.nodes[node].name + "/";
  stage_ = path_.size();
  // What an item of a queue has enqueued has to be looked at, too.
  able_ = !decider.graph_.nodes[node].grows && put_inputs_together();
}

const core::Head* Decider::KeptItems::find(std::size_t item) {
  if (!able_ || !fill_in(item)) return nullptr;
  const std::string_view key = state_.list->keys[item];
  path_.resize(stage_);
  core::append_component(path_, key);
  const auto rows = decider_.facts_.rows(path_);
  const bool done =
      !rows.empty() && decider_.judge_.is_plainly_done(node_, key, rows.back(), digest(pieces_));
  return done ? &rows.back().head : nullptr;
}

/// What Decider::fingerprint() digests, with a gap for each identity of an item's own. False where
/// that differs more from item to item.
bool Decider::KeptItems::put_inputs_together() {
  const auto inputs = decider_.inputs(node_, state_, std::nullopt, before_);
  const std::vector<Arg>& args = decider_.graph_.nodes[node_].args;
  std::vector<std::pair<std::string, std::size_t>> names;
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (inputs[i].exempt) continue;
    if (!is_own(args[i]) && !inputs[i].identity) return false;
    names.emplace_back(inputs[i].name, i);
    if (is_own(args[i])) names.back().first += of_element;
  }
  std::ranges::sort(names);
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0 && names[i].first == names[i - 1].first) return false;
    append_piece(names[i].first);
    const std::size_t input = names[i].second;
    if (is_own(args[input])) own_.push_back({pieces_.size(), args[input]});
    const Digest identity = is_own(args[input]) ? Digest{} : *inputs[input].identity;
    pieces_.append(identity.bytes.begin(), identity.bytes.end());
  }
  return true;
}

/// As Digester::add().
void Decider::KeptItems::append_piece(std::string_view piece) {
  std::array<char, 8> length{};
  core::store_little(length.data(), std::uint64_t{piece.size()});
  pieces_.append(length.data(), length.size()).append(piece);
}

bool Decider::KeptItems::fill_in(std::size_t item) {
  for (const Own& own : own_) {
    const auto identity = decider_.own_identity(own.arg, state_, item, before_);
    if (!identity) return false;
    std::ranges::copy(identity->bytes, pieces_.begin() + static_cast<std::ptrdiff_t>(own.at));
  }
  return true;
}

}  // namespace resumable::plan
