#include "core/header_reader.hpp"

#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <system_error>

namespace resumable::core {
namespace {

/// If the line is not as expected, each function returns false and reading stops.
class PlainLine {
 public:
  explicit PlainLine(std::string_view line) : rest_(line) {}

  [[nodiscard]] bool at_end() const noexcept { return rest_.empty(); }

  bool take(char expected) {
    if (rest_.empty() || rest_.front() != expected) return false;
    rest_.remove_prefix(1);
    return true;
  }

  /// Without escapes. If there are any, nothing is consumed.
  bool text(std::string_view& to) {
    if (rest_.empty() || rest_.front() != '"') return false;
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        to = rest_.substr(1, i - 1);
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (!is_plain(rest_[i]) || rest_[i] == '\\') return false;
    }
    return false;
  }

  /// With the escapes of one letter.
  bool text(std::string& to) {
    std::string_view found;
    if (text(found)) {
      to = found;
      return true;
    }
    return escaped(to);
  }

  bool digest(Digest& to) {
    std::string_view hex;
    if (!text(hex)) return false;
    const auto parsed = Digest::parse(hex);
    if (parsed) to = *parsed;
    return parsed.has_value();
  }

  template <class N>
  bool number(N& to) {
    if (rest_.empty() || !(is_digit(rest_.front()) || rest_.front() == '-')) return false;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), to);
    if (error != std::errc{}) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }

  /// Calls field(name) for each member, which reads the value.
  template <class Field>
  bool object(Field field) {
    return list('{', '}', [&] {
      std::string_view name;
      return text(name) && take(':') && field(name);
    });
  }

  template <class Entry>
  bool array(Entry entry) {
    return list('[', ']', entry);
  }

 private:
  static bool is_digit(char c) { return c >= '0' && c <= '9'; }
  static bool is_plain(char c) { return c >= 0x20 && c < 0x7f; }

  bool escaped(std::string& to) {
    static constexpr std::string_view letters = "\"\\/bfnrt";
    static constexpr std::string_view meant = "\"\\/\b\f\n\r\t";
    to.clear();
    for (std::size_t i = 1; i < rest_.size(); ++i) {
      if (rest_[i] == '"') {
        rest_.remove_prefix(i + 1);
        return true;
      }
      if (!is_plain(rest_[i])) return false;
      if (rest_[i] != '\\') {
        to += rest_[i];
        continue;
      }
      if (++i == rest_.size()) return false;
      const std::size_t which = letters.find(rest_[i]);
      if (which == letters.npos) return false;
      to += meant[which];
    }
    return false;
  }

  template <class Entry>
  bool list(char open, char close, Entry entry) {
    if (!take(open)) return false;
    if (take(close)) return true;
    do {
      if (!entry()) return false;
    } while (take(','));
    return take(close);
  }

  std::string_view rest_;
};

bool read_cost(PlainLine& from, Cost& cost) {
  return from.object([&](std::string_view name) {
    if (name == "usd") return from.number(cost.usd);
    return name == "tokens" && from.number(cost.tokens);
  });
}

bool read_inputs(PlainLine& from, std::vector<InputIdentity>& inputs) {
  return from.object([&](std::string_view name) {
    inputs.push_back({std::string{name}, {}});
    return from.digest(inputs.back().identity);
  });
}

bool read_exports(PlainLine& from, std::vector<Export>& exports) {
  return from.array([&] {
    Export& one = exports.emplace_back();
    return from.object([&](std::string_view name) {
      if (name == "path") return from.text(one.path);
      if (name == "digest") return from.digest(one.digest);
      if (name == "order") return from.number(one.order);
      return name == "before" && from.digest(one.before.emplace());
    });
  });
}

bool read_payload(PlainLine& from, Header& header) {
  return from.object([&](std::string_view name) {
    if (name == "bytes") return from.number(header.payload_bytes);
    if (name == "sha256") return from.text(header.payload_sha256);
    return name == "digest" && from.digest(header.payload_digest);
  });
}

/// Fields that the tag has as well, or that are never read.
bool skip(PlainLine& from, std::string_view name) {
  std::string_view text;
  std::uint64_t number = 0;
  if (name == "kind" || name == "identity" || name == "check") return from.text(text);
  return (name == "schema" || name == "revision" || name == "fence") && from.number(number);
}

/// In the order in which headers are written.
constexpr std::array<std::string_view, 8> required{"key", "generation", "run",      "pipeline",
                                                   "at",  "seconds",    "attempts", "payload"};

bool read_field(PlainLine& from, std::string_view name, Header& header) {
  if (name == "key") return from.text(header.key);
  if (name == "generation") return from.number(header.generation);
  if (name == "run") return from.text(header.run_uid);
  if (name == "pipeline") return from.text(header.pipeline);
  if (name == "at") return from.text(header.at);
  if (name == "shape") return from.text(header.shape);
  if (name == "type") return from.text(header.schema_name);
  if (name == "seconds") return from.number(header.seconds);
  if (name == "attempts") return from.number(header.attempts);
  if (name == "cost") return read_cost(from, header.cost);
  if (name == "inputs") return read_inputs(from, header.inputs);
  if (name == "exports") return read_exports(from, header.exports);
  if (name == "confirmed") return read_exports(from, header.confirmed);
  if (name == "payload") return read_payload(from, header);
  return skip(from, name);
}

}  // namespace

bool read_plain_header(std::string_view line, Header& header) {
  PlainLine from{line};
  std::size_t found = 0;
  const bool good = from.object([&](std::string_view name) {
    found += found < required.size() && required[found] == name ? 1U : 0U;
    return read_field(from, name, header);
  });
  return good && from.at_end() && found == required.size();
}

}  // namespace resumable::core
