// Runs a fuzz entry point without libFuzzer: every file of a corpus as it is, then mutations of
// them, reproducibly. An input that ends the process is left in the file that --keep names.
//
//   fuzz_json [--runs N] [--seed N] [--keep FILE] CORPUS...
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <string_view>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Random = std::mt19937_64;

std::size_t below(Random& random, std::size_t limit) {
  return limit == 0 ? 0 : static_cast<std::size_t>(random() % limit);
}

/// Pieces that change what a parser does.
constexpr std::string_view pieces[] = {"{",       "}",     "[",
                                       "]",       "\"",    ":",
                                       ",",       "\\",    "\\u0000",
                                       "\\ud800", "null",  "-0",
                                       "1e",      "1e99",  "-1",
                                       "0.1",     "1e309", "true",
                                       "//",      "\xff",  "\xEF\xBB\xBF",
                                       "[[",      "{}",    "\n",
                                       "\x01",    "\xc3",  "\"a\"",
                                       "\"a\":",  "300",   "18446744073709551616"};

void mutate_once(std::string& input, const std::vector<std::string>& corpus, Random& random) {
  const std::size_t at = below(random, input.size() + 1);
  const std::size_t length = below(random, std::min<std::size_t>(input.size() - at, 16) + 1);
  const std::string& other = corpus[below(random, corpus.size())];
  switch (below(random, 7)) {
    case 0: input.erase(at, length); break;
    case 1: input.insert(at, pieces[below(random, std::size(pieces))]); break;
    case 2: input.insert(at, input.substr(at, length)); break;
    case 3: input.insert(at, other.substr(below(random, other.size() + 1), 32)); break;
    case 4: input.resize(at); break;
    case 5: input.replace(at, length, pieces[below(random, std::size(pieces))]); break;
    default:
      if (at < input.size()) input[at] = static_cast<char>(input[at] ^ (1 << below(random, 8)));
  }
}

std::string mutated(const std::vector<std::string>& corpus, Random& random) {
  std::string input = corpus[below(random, corpus.size())];
  for (std::size_t i = below(random, 8) + 1; i > 0; --i) mutate_once(input, corpus, random);
  return input.substr(0, 4096);
}

void run(const std::string& input, const std::string& keep) {
  if (!keep.empty()) std::ofstream(keep, std::ios::binary) << input;
  LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
}

std::string content(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The files below `folders`, in the order of their names, so that a seed means the same anywhere.
std::vector<std::string> load(const std::vector<std::string>& folders) {
  std::vector<std::filesystem::path> paths;
  for (const std::string& folder : folders) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> corpus{""};
  for (const auto& path : paths) corpus.push_back(content(path));
  return corpus;
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t runs = 100'000;
  std::uint64_t seed = 1;
  std::string keep;
  std::vector<std::string> folders;
  for (int i = 1; i < argc; ++i) {
    const std::string_view option = argv[i];
    const bool has_value = i + 1 < argc;
    if (option == "--runs" && has_value)
      runs = std::stoull(argv[++i]);
    else if (option == "--seed" && has_value)
      seed = std::stoull(argv[++i]);
    else if (option == "--keep" && has_value)
      keep = argv[++i];
    else
      folders.emplace_back(option);
  }
  const std::vector<std::string> corpus = load(folders);
  for (const std::string& input : corpus) run(input, keep);
  Random random(seed);
  for (std::uint64_t i = 0; i < runs; ++i) run(mutated(corpus, random), keep);
  std::printf("%zu files and %llu mutations, seed %llu: clean\n", corpus.size(),
              static_cast<unsigned long long>(runs), static_cast<unsigned long long>(seed));
}
