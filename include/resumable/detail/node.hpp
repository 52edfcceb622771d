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
#include "resumable/found_file.hpp"
#include "resumable/handle.hpp"
#include "resumable/name.hpp"
#include "resumable/retry.hpp"

namespace resumable {
inline namespace v0 {

class Context;

namespace detail {

/// A stage's function behind one virtual call. Called from several threads at once.
class Body {
 public:
  virtual ~Body() = default;
  /// `args` are the values of Node::args in order, without those for order only.
  [[nodiscard]] virtual AnyValue call(Context& context, std::span<const AnyValue> args) const = 0;
};

/// Text made from a value, for artifacts and item keys.
class Render {
 public:
  virtual ~Render() = default;
  /// nullopt: there is nothing to export.
  [[nodiscard]] virtual std::optional<std::string> operator()(const void* value) const = 0;
};

/// Makes a value from the text of an edited artifact and the value before the edit. Throws what the
/// program's function throws.
class Parse {
 public:
  virtual ~Parse() = default;
  [[nodiscard]] virtual AnyValue operator()(std::string_view text, const void* former) const = 0;
  [[nodiscard]] virtual bool needs_former() const noexcept = 0;
};

/// Makes a value from a file that existed before the run had checkpoints. Throws what the program's
/// function throws.
class Adopt {
 public:
  virtual ~Adopt() = default;
  [[nodiscard]] virtual AnyValue operator()(const FoundFile& file) const = 0;
};

/// Whether a value may be saved; if not, the problem in one sentence.
class Check {
 public:
  virtual ~Check() = default;
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
  after,     ///< nothing: order only
};

struct Arg {
  ArgKind kind = ArgKind::value;
  std::uint32_t node = 0;
  const void* graph = nullptr;          ///< which pipeline the handle came from
  std::shared_ptr<const ListOps> list;  ///< for each over a list
};

enum class NodeKind : std::uint8_t { input, files, secret, condition, stage, fan_out };

struct Artifact {
  std::string pattern;
  std::shared_ptr<const Render> render;
  std::shared_ptr<const Parse> parse{};
};

struct Node {
  std::string name;              ///< under which a run keeps its records
  std::string declared{};        ///< what people call it, where that is another name
  std::vector<std::string> was;  ///< its former names
  NodeKind kind = NodeKind::stage;
  std::uint32_t revision = 1;
  unsigned concurrency = 0;
  bool skip_round_trip = false;
  bool drops = false;  ///< its value is dropped after use
  bool grows = false;  ///< fan-outs: its items may enqueue items
  Retry retry{};
  std::chrono::milliseconds timeout{0};
  std::chrono::seconds max_age{0};
  When when{};
  std::vector<Arg> args;
  const ValueType* type = nullptr;  ///< of the value; of one item's value for fan-outs
  std::shared_ptr<const Body> body;
  AnyValue (*gather)(std::span<const AnyValue> items) = nullptr;  ///< fan-outs: the vector
  AnyValue given;                      ///< inputs: the program's value, or null
  std::string folder;                  ///< files: where they are, or empty
  std::string hidden;                  ///< secrets that are text: what no message may contain
  std::shared_ptr<const Check> check;  ///< or null
  std::shared_ptr<const Adopt> adopt;  ///< or null
  std::function<bool(const FoundFile&)> adopt_if;
  std::vector<Artifact> artifacts;
  std::vector<Artifact> appended;  ///< fan-outs: files that get every item's text, in order

  [[nodiscard]] const std::string& shown() const noexcept {
    return declared.empty() ? name : declared;
  }
};

}  // namespace detail
}  // namespace v0
}  // namespace resumable
