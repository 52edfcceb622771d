#include "value/changes.hpp"

#include <algorithm>
#include <functional>
#include <optional>
#include <span>
#include <utility>

#include <dtl/dtl.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/text.hpp"
#include "resumable/digest.hpp"
#include "value/json_pointer.hpp"

namespace resumable::value {
namespace {

using Json = nlohmann::json;
using Texts = std::vector<std::string>;

constexpr std::size_t shown = 200;  // bytes of a value in a message

std::string cut(std::string text) {
  if (text.size() <= shown) return text;
  std::size_t end = shown;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0U) == 0x80U) --end;
  return text.substr(0, end) + "…";
}

std::string brief(const Json& json) {
  return cut(json.dump(-1, ' ', false, Json::error_handler_t::replace));
}

// Whether a value is compared and merged by lines. The bytes of a file are if they are text; the
// bytes of a program's own codec are not.
bool has_lines(CodecId codec, std::string_view bytes) {
  if (codec == CodecId::text) return true;
  constexpr std::size_t most = 1U << 20U;
  const bool any = codec == CodecId::file || codec == CodecId::bytes;
  return any && bytes.size() <= most && bytes.find('\0') == bytes.npos && core::is_utf8(bytes);
}

// Of bytes that are not shown.
std::string summary(std::string_view bytes) {
  return fmt::format("{} bytes ({})", bytes.size(), digest(bytes).brief());
}

// With their ends, so that a text without a last newline is another one.
Texts lines_of(std::string_view text) {
  Texts lines;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

bool has_lines(const Json& json) {
  return json.is_string() && json.get_ref<const std::string&>().find('\n') != std::string::npos;
}

Texts elements_of(const Json& array) {
  Texts texts;
  for (const Json& one : array) {
    texts.push_back(one.dump(-1, ' ', false, Json::error_handler_t::replace));
  }
  return texts;
}

// The places in `to` of the elements of `from`, by a longest common subsequence; nullopt: none.
std::vector<std::optional<std::size_t>> places(const Texts& from, const Texts& to) {
  std::vector<std::optional<std::size_t>> found(from.size());
  dtl::Diff<std::string> diff{from, to};
  diff.compose();
  std::size_t a = 0;
  std::size_t b = 0;
  for (const auto& [text, step] : diff.getSes().getSequence()) {
    if (step.type == dtl::SES_COMMON) found[a] = b;
    if (step.type != dtl::SES_ADD) ++a;
    if (step.type != dtl::SES_DELETE) ++b;
  }
  return found;
}

// ---- changes -----------------------------------------------------------------------------------

struct Range {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

// Calls visit(before, after) for each pair of ranges that differ.
void each_difference(const Texts& before, const Texts& after,
                     const std::function<void(Range, Range)>& visit) {
  const auto at = places(before, after);
  Range a;
  Range b;
  for (std::size_t i = 0; i <= before.size(); ++i) {
    const bool end = i == before.size();
    if (!end && !at[i]) continue;
    a.end = i;
    b.end = end ? after.size() : *at[i];
    if (a.size() + b.size() > 0) visit(a, b);
    a.begin = i + 1;
    b.begin = b.end + 1;
  }
}

std::string joined(const Texts& lines, Range range) {
  std::string text;
  for (std::size_t i = range.begin; i < range.end; ++i) text += lines[i];
  while (text.ends_with('\n')) text.pop_back();
  return cut(std::move(text));
}

class Differences {
 public:
  std::vector<Change> found;

  void json(const Json& before, const Json& after) {
    if (before == after && before.type() == after.type()) return;
    if (before.is_object() && after.is_object()) return objects(before, after);
    if (before.is_array() && after.is_array()) return arrays(before, after);
    if (before.is_string() && after.is_string() && (has_lines(before) || has_lines(after))) {
      return text(before.get_ref<const std::string&>(), after.get_ref<const std::string&>());
    }
    found.push_back({pointer_, brief(before), brief(after)});
  }

  void text(std::string_view before, std::string_view after) {
    const Texts old = lines_of(before);
    const Texts now = lines_of(after);
    each_difference(old, now, [&](Range a, Range b) {
      found.push_back({fmt::format("{}{}line {}", pointer_, pointer_.empty() ? "" : " ",
                                   (b.size() > 0 ? b.begin : a.begin) + 1),
                       joined(old, a), joined(now, b)});
    });
  }

 private:
  template <class F>
  void below(std::string_view name, const F& visit) {
    const std::size_t length = pointer_.size();
    append_pointer(pointer_, name);
    visit();
    pointer_.resize(length);
  }

  void objects(const Json& before, const Json& after) {
    for (const auto& [name, old] : before.items()) {
      below(name, [&, &old = old, &name = name] {
        const auto now = after.find(name);
        if (now == after.end()) {
          found.push_back({pointer_, brief(old), ""});
        } else {
          json(old, *now);
        }
      });
    }
    for (const auto& [name, now] : after.items()) {
      if (before.contains(name)) continue;
      below(name, [&, &now = now] { found.push_back({pointer_, "", brief(now)}); });
    }
  }

  // Elements that were neither deleted nor added are compared pairwise.
  void arrays(const Json& before, const Json& after) {
    each_difference(elements_of(before), elements_of(after), [&](Range a, Range b) {
      const std::size_t both = std::min(a.size(), b.size());
      for (std::size_t i = 0; i < both; ++i) {
        below(std::to_string(b.begin + i), [&] { json(before[a.begin + i], after[b.begin + i]); });
      }
      for (std::size_t i = a.begin + both; i < a.end; ++i) {
        below(std::to_string(i), [&] { found.push_back({pointer_, brief(before[i]), ""}); });
      }
      for (std::size_t i = b.begin + both; i < b.end; ++i) {
        below(std::to_string(i), [&] { found.push_back({pointer_, "", brief(after[i])}); });
      }
    });
  }

  std::string pointer_;
};

// ---- merge -------------------------------------------------------------------------------------

// What the three sequences have between two places where they agree.
struct Piece {
  Range base;
  Range mine;
  Range theirs;
  bool stable = false;  ///< one element that all have
};

std::vector<Piece> pieces_of(const Texts& base, const Texts& mine, const Texts& theirs) {
  const auto in_mine = places(base, mine);
  const auto in_theirs = places(base, theirs);
  std::vector<Piece> pieces;
  Piece open;
  const auto close = [&](std::size_t b, std::size_t m, std::size_t t) {
    open.base.end = b;
    open.mine.end = m;
    open.theirs.end = t;
    if (open.base.size() + open.mine.size() + open.theirs.size() > 0) pieces.push_back(open);
  };
  for (std::size_t i = 0; i < base.size(); ++i) {
    if (!in_mine[i] || !in_theirs[i]) continue;
    const std::size_t m = *in_mine[i];
    const std::size_t t = *in_theirs[i];
    close(i, m, t);
    pieces.push_back({{i, i + 1}, {m, m + 1}, {t, t + 1}, true});
    open = {{i + 1, i + 1}, {m + 1, m + 1}, {t + 1, t + 1}, false};
  }
  close(base.size(), mine.size(), theirs.size());
  return pieces;
}

bool same(const Texts& a, Range x, const Texts& b, Range y) {
  return std::equal(a.begin() + static_cast<std::ptrdiff_t>(x.begin),
                    a.begin() + static_cast<std::ptrdiff_t>(x.end),
                    b.begin() + static_cast<std::ptrdiff_t>(y.begin),
                    b.begin() + static_cast<std::ptrdiff_t>(y.end));
}

class Merger {
 public:
  std::vector<Conflict> conflicts;

  // nullopt stands for a member that is not there.
  using Side = std::optional<Json>;

  Side json(const Side& base, const Side& mine, const Side& theirs) {
    if (mine == theirs || theirs == base) return mine;
    if (mine == base) return theirs;
    if (base && mine && theirs) {
      if (base->is_object() && mine->is_object() && theirs->is_object()) {
        return objects(*base, *mine, *theirs);
      }
      if (base->is_array() && mine->is_array() && theirs->is_array()) {
        return arrays(*base, *mine, *theirs);
      }
      if (has_lines(*base) && mine->is_string() && theirs->is_string()) {
        return text(base->get_ref<const std::string&>(), mine->get_ref<const std::string&>(),
                    theirs->get_ref<const std::string&>());
      }
    }
    conflicts.push_back({pointer_, mine ? brief(*mine) : "", theirs ? brief(*theirs) : ""});
    return mine;
  }

  std::string text(std::string_view base, std::string_view mine, std::string_view theirs) {
    const Texts b = lines_of(base);
    const Texts m = lines_of(mine);
    const Texts t = lines_of(theirs);
    std::string merged;
    const auto append = [&](const Texts& lines, Range range) {
      for (std::size_t i = range.begin; i < range.end; ++i) merged += lines[i];
    };
    for (const Piece& piece : pieces_of(b, m, t)) {
      if (same(b, piece.base, m, piece.mine)) {
        append(t, piece.theirs);
        continue;
      }
      append(m, piece.mine);
      if (same(b, piece.base, t, piece.theirs) || same(m, piece.mine, t, piece.theirs)) continue;
      conflicts.push_back(
          {fmt::format("{}{}line {}", pointer_, pointer_.empty() ? "" : " ", piece.mine.begin + 1),
           joined(m, piece.mine), joined(t, piece.theirs)});
    }
    return merged;
  }

 private:
  Side member(std::string_view name, const Side& base, const Side& mine, const Side& theirs) {
    const std::size_t length = pointer_.size();
    append_pointer(pointer_, name);
    Side merged = json(base, mine, theirs);
    pointer_.resize(length);
    return merged;
  }

  static Side at(const Json& object, const std::string& name) {
    const auto found = object.find(name);
    return found == object.end() ? Side{} : Side{*found};
  }

  Json objects(const Json& base, const Json& mine, const Json& theirs) {
    Json merged = Json::object();
    Json all = base;
    all.update(mine);
    all.update(theirs);
    for (const auto& [name, any] : all.items()) {
      Side value = member(name, at(base, name), at(mine, name), at(theirs, name));
      if (value) merged[name] = *std::move(value);
    }
    return merged;
  }

  Json arrays(const Json& base, const Json& mine, const Json& theirs) {
    const Texts b = elements_of(base);
    const Texts m = elements_of(mine);
    const Texts t = elements_of(theirs);
    Json merged = Json::array();
    const auto append = [&](const Json& array, Range range) {
      for (std::size_t i = range.begin; i < range.end; ++i) merged.push_back(array[i]);
    };
    for (const Piece& piece : pieces_of(b, m, t)) {
      if (same(b, piece.base, m, piece.mine)) {
        append(theirs, piece.theirs);
      } else if (same(b, piece.base, t, piece.theirs) || same(m, piece.mine, t, piece.theirs)) {
        append(mine, piece.mine);
      } else if (piece.base.size() == piece.mine.size() &&
                 piece.base.size() == piece.theirs.size()) {
        for (std::size_t i = 0; i < piece.base.size(); ++i) {
          merged.push_back(*member(std::to_string(piece.mine.begin + i), base[piece.base.begin + i],
                                   mine[piece.mine.begin + i], theirs[piece.theirs.begin + i]));
        }
      } else {
        conflict(mine, piece.mine, theirs, piece.theirs);
        append(mine, piece.mine);
      }
    }
    return merged;
  }

  void conflict(const Json& mine, Range m, const Json& theirs, Range t) {
    const auto part = [](const Json& array, Range range) {
      Json some = Json::array();
      for (std::size_t i = range.begin; i < range.end; ++i) some.push_back(array[i]);
      return range.size() == 0 ? std::string{} : brief(some);
    };
    std::string path = pointer_;
    append_pointer(path, std::to_string(m.begin));
    conflicts.push_back({std::move(path), part(mine, m), part(theirs, t)});
  }

  std::string pointer_;
};

}  // namespace

std::vector<Change> changes(CodecId codec, std::string_view before, std::string_view after) {
  if (before == after) return {};
  Differences differences;
  if (codec == CodecId::json) {
    differences.json(Json::parse(before), Json::parse(after));
  } else if (has_lines(codec, before) && has_lines(codec, after)) {
    differences.text(before, after);
  } else {
    return {{"", summary(before), summary(after)}};
  }
  return std::move(differences.found);
}

Merged merge(CodecId codec, std::string_view base, std::string_view mine, std::string_view theirs) {
  if (mine == theirs || theirs == base) return {std::string{mine}, {}};
  if (mine == base) return {std::string{theirs}, {}};
  Merger merger;
  Merged merged;
  if (codec == CodecId::json) {
    merged.bytes = merger.json(Json::parse(base), Json::parse(mine), Json::parse(theirs))->dump();
  } else if (has_lines(codec, base) && has_lines(codec, mine) && has_lines(codec, theirs)) {
    merged.bytes = merger.text(base, mine, theirs);
  } else {
    merged.bytes = mine;
    merger.conflicts.push_back({"", summary(mine), summary(theirs)});
  }
  merged.conflicts = std::move(merger.conflicts);
  return merged;
}

}  // namespace resumable::value
