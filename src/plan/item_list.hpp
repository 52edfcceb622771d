/// @file
/// The items of a fan-out: their keys, which of them repeat, and how a queue grows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/place_table.hpp"
#include "resumable/digest.hpp"
#include "resumable/record.hpp"

namespace resumable::plan {

/// What one item of a queue has enqueued.
struct Enqueued {
  struct Element {
    std::string key;
    Digest digest;
    std::shared_ptr<const Payload> payload;
  };
  std::vector<Element> elements;
  std::uint32_t schema = 1;                      ///< of the payloads
  std::shared_ptr<const std::string> schemas{};  ///< of types inside them, as in the header
};

/// An item that another one has enqueued.
struct Grown {
  std::uint32_t parent = 0;  ///< the first that did
  std::shared_ptr<const Payload> payload;
  std::uint32_t schema = 1;
  std::shared_ptr<const std::string> schemas{};
};

/// The keys of items, one behind the other in one string. A key is valid until the next is added.
class Keys {
 public:
  [[nodiscard]] std::size_t size() const noexcept { return ends_.size(); }
  [[nodiscard]] std::string_view operator[](std::size_t place) const noexcept {
    const std::size_t begin = place == 0 ? 0 : ends_[place - 1];
    return {text_.data() + begin, ends_[place] - begin};
  }
  [[nodiscard]] std::string_view back() const noexcept { return (*this)[size() - 1]; }
  void push_back(std::string_view key) {
    text_ += key;
    ends_.push_back(text_.size());
  }
  /// Room for so many keys, of so many bytes together.
  void reserve(std::size_t count, std::size_t bytes) {
    ends_.reserve(count);
    text_.reserve(bytes);
  }

 private:
  std::string text_;
  std::vector<std::size_t> ends_;
};

/// The items of a fan-out, as recorded when its list was expanded. A queue's grows while it runs.
struct ItemList {
  Digest list;  ///< identity of the list's value
  Keys keys;
  std::vector<Digest> digests;                 ///< of the elements
  std::map<std::size_t, std::size_t> repeats;  ///< places whose key stands at an earlier place, too
  core::PlaceTable places;                     ///< of the keys
  std::vector<Grown> grown;  ///< of a queue: the items behind those that it began with
  std::vector<std::pair<std::uint32_t, std::uint32_t>> parents;  ///< further ones: item, parent

  /// Of a closed fan-out: the list that these items were taken from, and their places in it.
  std::shared_ptr<const ItemList> whole;
  std::vector<std::uint32_t> places_in_whole;

  /// Fills in `repeats` and `places`, to be called once the rest is there. Returns two places with
  /// one key and different content, if there are any.
  std::optional<std::pair<std::size_t, std::size_t>> find_repeats();
  /// Adds what the item at `parent` has enqueued. An element whose key is there already is the same
  /// item; false when its content differs, with its key in `clash`.
  bool grow(std::uint32_t parent, const Enqueued& enqueued, std::string& clash);
  /// How it came into the queue; nullptr for those that it began with.
  [[nodiscard]] const Grown* grown_at(std::size_t place) const {
    const std::size_t roots = keys.size() - grown.size();
    return place < roots ? nullptr : &grown[place - roots];
  }
  /// The first place of `key`; keys.size() when it has none. `hint` is looked at first.
  [[nodiscard]] std::size_t find(std::string_view key, std::size_t hint) const;
};

}  // namespace resumable::plan
