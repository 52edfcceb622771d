/// @file
/// A declared stage as the compiled library sees it. No promises: may change in any version.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "resumable/detail/value_type.hpp"
#include "resumable/name.hpp"

namespace resumable::inline v0 {

class Context;

/// What to do when a stage, or an item of it, throws. By default nothing is tried again.
struct Retry {
  unsigned attempts = 1;                   ///< tries in all, failed ones of killed runs included
  std::chrono::milliseconds first{1'000};  ///< the wait after the first failure
  std::chrono::milliseconds cap{60'000};   ///< no wait is longer, unless the error asks for more
  double factor = 2.0;                     ///< each wait is so many times the one before
  double jitter = 0.25;                    ///< a wait varies by this share of itself, up and down
  /// Which errors, besides Retryable and transient system errors, are worth another try.
  std::function<bool(const std::exception&)> when{};
};

namespace detail {

/// A stage's function behind one virtual call. Called from several threads at once.
class Body {
 public:
  virtual ~Body() = default;
  /// `args` are the values of Node::args in order, without those of order alone.
  [[nodiscard]] virtual AnyValue call(Context& context, std::span<const AnyValue> args) const = 0;
};

/// Text made from a value, for artifacts and item keys.
class Render {
 public:
  virtual ~Render() = default;
  /// nullopt: there is nothing to export.
  [[nodiscard]] virtual std::optional<std::string> operator()(const void* value) const = 0;
};

/// How a list is taken apart into items.
struct ListOps {
  std::size_t (*size)(const void* list) = nullptr;
  AnyValue (*at)(const AnyValue& list, std::size_t index) = nullptr;
  const ValueType* element = nullptr;
  std::shared_ptr<const Render> key;
};

enum class ArgKind : std::uint8_t {
  value,     ///< the whole value
  each,      ///< one element, or one item of a fan-out, per call
  matching,  ///< the item of another fan-out that has the same key
  after,     ///< nothing: order alone
};

struct Arg {
  ArgKind kind = ArgKind::value;
  std::uint32_t node = 0;
  const void* graph = nullptr;          ///< which pipeline the handle came from
  std::shared_ptr<const ListOps> list;  ///< for each over a list
};

/// When a stage is taken at all.
struct When {
  std::uint32_t node = 0;
  const void* graph = nullptr;  ///< nullptr: always
  bool expected = true;
};

enum class NodeKind : std::uint8_t { input, files, secret, condition, stage, fan_out };

struct Artifact {
  std::string pattern;
  std::shared_ptr<const Render> render;
};

struct Node {
  std::string name;
  NodeKind kind = NodeKind::stage;
  std::uint32_t revision = 1;
  unsigned concurrency = 0;
  bool pass_live = false;
  bool grows = false;  ///< fan-outs: its items may enqueue items
  Retry retry{};
  std::chrono::milliseconds timeout{0};
  std::chrono::seconds max_age{0};
  When when{};
  std::vector<Arg> args;
  const ValueType* type = nullptr;  ///< of the value; of one item's value for fan-outs
  std::shared_ptr<const Body> body;
  AnyValue (*gather)(std::span<const AnyValue> items) = nullptr;  ///< fan-outs: the vector
  AnyValue given;      ///< inputs: the host's value, or null
  std::string folder;  ///< files: where they are, or empty
  std::vector<Artifact> artifacts;
  std::vector<Artifact> appended;  ///< fan-outs: files that get every item's text, in order
};

}  // namespace detail
}  // namespace resumable::inline v0
