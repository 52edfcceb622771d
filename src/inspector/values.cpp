#include "inspector/values.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "resumable/detail/json_text.hpp"
#include "resumable/detail/packed_json.hpp"
#include "resumable/error.hpp"

namespace resumable {
inline namespace v0 {
namespace inspector {
namespace {

std::optional<std::uint8_t> own_codec(std::string_view name) {
  constexpr std::string_view before = "codec ";
  if (!name.starts_with(before)) return std::nullopt;
  unsigned number = 0;
  std::from_chars(name.data() + before.size(), name.data() + name.size(), number);
  return static_cast<std::uint8_t>(number);
}

/// What else the run has: names of stages and inputs, without the items.
std::string what_there_is(const Request& request, std::string_view run,
                          std::vector<std::string>& names) {
  for (const survey::RecordView& one : survey::records(*request.store, run, survey::Depth::heads)) {
    const bool own = one.path.starts_with('@');
    if (own && !one.path.starts_with("@input/")) continue;
    std::string name = own ? one.path : one.path.substr(0, one.path.find('/'));
    if (names.empty() || names.back() != name) names.push_back(std::move(name));
  }
  std::ranges::sort(names);
  names.erase(std::unique(names.begin(), names.end()), names.end());
  constexpr std::size_t most = 20;
  std::vector<std::string> shown(
      names.begin(), names.begin() + static_cast<std::ptrdiff_t>(std::min(names.size(), most)));
  std::string text = fmt::format("{}", fmt::join(shown, ", "));
  if (names.size() > most) text += fmt::format(" and {} more", names.size() - most);
  return core::escaped(text);
}

[[noreturn]] void no_record(const Request& request, std::string_view run,
                            std::string_view selector) {
  std::vector<std::string> names;
  const std::string there = what_there_is(request, run, names);
  const std::string guess = core::did_you_mean(selector, names);
  throw Error(Errc::unknown_stage,
              {.what = fmt::format("run '{}' has no record of '{}'{}", core::printable(run),
                                   core::printable(selector),
                                   guess.empty() ? "" : ". Did you mean '" + guess + "'?"),
               .next = typed(request, "show", {std::string{run}, "--all"}) +
                       (there.empty() ? "" : "   there are records of " + there)});
}

[[noreturn]] void has_items(const Request& request, std::string_view run, std::string_view stage,
                            const std::string& item) {
  throw Error(Errc::unknown_stage,
              {.what = fmt::format("'{}' has no record itself: its items have one each",
                                   core::printable(stage)),
               .next = fmt::format("{}   is one of them; {} lists them all",
                                   typed(request, "show", {std::string{run}, item}),
                                   typed(request, "show", {std::string{run}, "--all"}))});
}

[[noreturn]] void no_part(std::string_view pointer, const survey::Content& content) {
  throw Error(Errc::no_value,
              {.what = fmt::format("the value of '{}' has no part {}",
                                   core::printable(content.record.key), core::printable(pointer))});
}

}  // namespace

Value value_of(const Request& request, std::string_view run, const survey::Content& content,
               std::string_view pointer) {
  if (!content.proved) {
    throw Error(Errc::damaged, {.what = fmt::format("the record '{}' is not as it was written",
                                                    core::printable(content.record.key)),
                                .file = request.store->locate(
                                    run, {content.record.path, content.record.generation}),
                                .kept = "the file as it is",
                                .next = typed(request, "verify", {std::string{run}})});
  }
  Value value;
  if (content.record.dropped) return value;
  std::string bytes = read_all(*content.payload, std::uint64_t{1} << 30);
  const std::string& codec = content.record.codec;
  if (const auto own = own_codec(codec); own && request.options.codecs.contains(*own)) {
    bytes = request.options.codecs.at(*own)(bytes);
  } else if (codec == "cbor" || codec == "msgpack") {
    bytes = detail::unpack_json(codec == "cbor" ? CodecId::cbor : CodecId::msgpack, bytes);
  } else if (codec != "json" && codec != "text" && codec != "in_place") {
    if (!pointer.empty()) no_part(pointer, content);
    return value;
  }
  if (!pointer.empty()) {
    const auto part = detail::find_json(bytes, pointer);
    if (!part || codec == "text") no_part(pointer, content);
    bytes = std::string{*part};
  }
  if (codec != "text") {
    auto json = Document::parse(bytes, nullptr, false);
    if (!json.is_discarded()) value.json = std::make_shared<const Document>(std::move(json));
  }
  if (!value.json && !pointer.empty()) no_part(pointer, content);
  if (!value.json) value.text = std::move(bytes);
  return value;
}

survey::Content content_of(const Request& request, std::string_view run,
                           const survey::RecordView& record) {
  if (auto found = survey::content(*request.store, run, record)) return *std::move(found);
  no_record(request, run, record.key);
}

survey::RecordView record_of(const Request& request, std::string_view run,
                             std::string_view selector, std::optional<std::uint64_t> generation) {
  const std::string path = survey::path_of(*request.store, run, selector);
  std::vector<std::uint64_t> known;
  const survey::RecordView* lost = nullptr;
  const auto list = survey::records(*request.store, run, survey::Depth::heads, path);
  for (const survey::RecordView& one : list) {
    if (one.path != path) continue;
    known.push_back(one.generation);
    if (generation ? one.generation == *generation : one.current) return one;
    lost = &one;
  }
  if (known.empty()) {
    const auto item = std::ranges::find_if(
        list, [&](const survey::RecordView& one) { return one.path.starts_with(path + '/'); });
    if (item != list.end()) has_items(request, run, selector, item->key);
    no_record(request, run, selector);
  }
  if (generation) {
    throw Error(
        Errc::unknown_stage,
        {.what = fmt::format("'{}' has no generation {}", core::printable(selector), *generation),
         .next = fmt::format("there are the generations {}", fmt::join(known, ", "))});
  }
  throw Error(Errc::damaged,
              {.what = fmt::format("no record of '{}' is whole", core::printable(selector)),
               .file = request.store->locate(run, {lost->path, lost->generation}),
               .kept = "the file as it is",
               .next = typed(request, "verify", {std::string{run}})});
}

}  // namespace inspector
}  // namespace v0
}  // namespace resumable
