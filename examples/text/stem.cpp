#include "text/stem.hpp"

#include <memory>
#include <new>
#include <unordered_map>

#include <libstemmer.h>

namespace text {
namespace {

struct Deleter {
  void operator()(sb_stemmer* stemmer) const noexcept { sb_stemmer_delete(stemmer); }
};

/// One a thread: a stemmer keeps the word that it works on.
sb_stemmer* stemmer() {
  thread_local const std::unique_ptr<sb_stemmer, Deleter> english{
      sb_stemmer_new("english", "UTF_8")};
  if (!english) throw std::bad_alloc{};
  return english.get();
}

}  // namespace

std::string stem_of(const std::string& word) {
  // The words of a text and of questions about it come again and again.
  constexpr std::size_t most = 50'000;
  thread_local std::unordered_map<std::string, std::string> known;
  const auto found = known.find(word);
  if (found != known.end()) return found->second;
  const auto* letters = reinterpret_cast<const sb_symbol*>(word.data());
  const sb_symbol* stem = sb_stemmer_stem(stemmer(), letters, static_cast<int>(word.size()));
  if (stem == nullptr) throw std::bad_alloc{};
  if (known.size() == most) known.clear();
  const auto* begin = reinterpret_cast<const char*>(stem);
  const auto length = static_cast<std::size_t>(sb_stemmer_length(stemmer()));
  return known.emplace(word, std::string{begin, length}).first->second;
}

}  // namespace text
