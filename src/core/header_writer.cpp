#include "core/header_writer.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>

#include <nlohmann/json.hpp>

#include "core/text.hpp"

namespace resumable::core {
namespace {

using Document = nlohmann::ordered_json;

/// A JSON object in one line, written field by field as nlohmann writes it: a header is written
/// with each commit, and building a tree would cost ten times as much.
class ObjectLine {
 public:
  explicit ObjectLine(std::string& to) : to_(to) { to_ += '{'; }
  void end() { to_ += '}'; }

  void text(std::string_view name, std::string_view value) {
    begin(name);
    add_text(value);
  }
  void text_if(std::string_view name, std::string_view value) {
    if (!value.empty()) text(name, value);
  }
  void digest(std::string_view name, const Digest& value) {
    begin(name);
    quote_hex(value);
  }
  /// The name may come from the program, too.
  void digest_of(std::string_view name, const Digest& value) {
    if (to_.back() != '{') to_ += ',';
    add_text(name);
    to_ += ':';
    quote_hex(value);
  }
  void number(std::string_view name, std::uint64_t value) {
    begin(name);
    std::array<char, 20> digits{};
    to_.append(digits.data(),
               std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr);
  }
  void number(std::string_view name, double value) {
    begin(name);
    to_ += value == 0 && !std::signbit(value) ? "0.0" : Document(value).dump();
  }
  void yes(std::string_view name) {
    begin(name);
    to_ += "true";
  }
  [[nodiscard]] ObjectLine object(std::string_view name) {
    begin(name);
    return ObjectLine{to_};
  }
  /// `write(item, object)` for each.
  template <class Items, class Write>
  void list_if(std::string_view name, const Items& items, const Write& write) {
    if (items.empty()) return;
    begin(name);
    char before = '[';
    for (const auto& item : items) {
      to_ += std::exchange(before, ',');
      ObjectLine object{to_};
      write(item, object);
      object.end();
    }
    to_ += ']';
  }

 private:
  void begin(std::string_view name) {
    to_ += to_.back() == '{' ? "\"" : ",\"";
    to_ += name;
    to_ += "\":";
  }
  void add_text(std::string_view text) {
    const bool plain = std::ranges::all_of(
        text, [](char c) { return c >= ' ' && c <= '~' && c != '"' && c != '\\'; });
    if (plain) return quote(text);
    to_ += Document(text).dump();
  }
  void quote_hex(const Digest& value) {
    to_ += '"';
    append_hex(to_, value.bytes);
    to_ += '"';
  }
  void quote(std::string_view text) {
    to_ += '"';
    to_ += text;
    to_ += '"';
  }

  std::string& to_;
};

void write_export(const Export& one, ObjectLine& to) {
  to.text("path", one.path);
  to.digest("digest", one.digest);
  to.number("order", one.order);
  if (one.before) to.digest("before", *one.before);
  if (one.edited) to.yes("edited");
}

/// If an input occurs twice, the last identity counts.
void write_inputs(const std::vector<InputIdentity>& inputs, ObjectLine& to) {
  if (inputs.empty()) return;
  ObjectLine object = to.object("inputs");
  for (auto input = inputs.begin(); input != inputs.end(); ++input) {
    const auto same = [&](const InputIdentity& other) { return other.name == input->name; };
    if (std::any_of(inputs.begin(), input, same)) continue;
    object.digest_of(input->name, std::find_if(inputs.rbegin(), inputs.rend(), same)->identity);
  }
  object.end();
}

}  // namespace

std::string header_line(const Header& header, const Head& head) {
  std::string line;
  line.reserve(512);
  ObjectLine to{line};
  to.text("key", header.key);
  to.number("generation", header.generation);
  to.text("kind", to_string(head.kind));
  to.text("run", header.run_uid);
  to.text("pipeline", header.pipeline);
  to.text("at", header.at);
  to.number("schema", std::uint64_t{head.schema});
  to.text_if("type", header.schema_name);
  to.number("revision", std::uint64_t{head.revision});
  to.number("fence", head.fence);
  to.digest("identity", head.identity);
  to.number("seconds", header.seconds);
  to.number("attempts", std::uint64_t{header.attempts});
  if (header.cost != Cost{}) {
    ObjectLine cost = to.object("cost");
    cost.number("usd", header.cost.usd);
    cost.number("tokens", header.cost.tokens);
    cost.end();
  }
  write_inputs(header.inputs, to);
  if (header.from_generation != 0) to.number("from_generation", header.from_generation);
  to.list_if("exports", header.exports, write_export);
  to.list_if("confirmed", header.confirmed, write_export);
  to.text_if("adopted_by", header.adopted_by);
  to.text_if("edited_by", header.edited_by);
  to.list_if("collisions", header.collisions, [](const Collision& one, ObjectLine& object) {
    object.text("path", one.path);
    object.text("edit", one.edit);
    object.text("value", one.value);
  });
  to.text_if("shape", header.shape);
  ObjectLine payload = to.object("payload");
  payload.number("bytes", header.payload_bytes);
  payload.digest("digest", header.payload_digest);
  payload.text_if("sha256", header.payload_sha256);
  payload.end();
  return line;
}

}  // namespace resumable::core
