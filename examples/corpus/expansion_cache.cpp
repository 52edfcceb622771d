#include "corpus/expansion_cache.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <resumable/digest.hpp>
#include <system_error>

#include "corpus/files.hpp"
#include "corpus/outline.hpp"

namespace corpus {
namespace {

using Ordered = nlohmann::ordered_json;

std::string digest_of(const Ordered& sections) { return resumable::digest(sections.dump()).hex(); }

}  // namespace

std::filesystem::path ExpansionCache::file(const Domain& domain) const {
  return folder_ / (file_name(domain.label) + ".json");
}

std::optional<std::vector<std::string>> ExpansionCache::find(const Domain& domain,
                                                             const std::string& question) const {
  const std::filesystem::path path = file(domain);
  std::string bytes;
  try {
    if (!std::filesystem::exists(path)) return std::nullopt;
    bytes = read_whole(path);
  } catch (const std::system_error& error) {
    tell_(fmt::format("warning: the cached expansion of {} cannot be read ({}); it is made anew",
                      domain.label, error.what()));
    return std::nullopt;
  }
  try {
    const Ordered entry = Ordered::parse(bytes);
    const Ordered& sections = entry.at("sections");
    if (entry.at("digest") != digest_of(sections)) {
      set_aside(path, "its text is not what was written");
      return std::nullopt;
    }
    if (entry.at("question") != question) {
      tell_(fmt::format("note: the cached expansion of {} answers another question; made anew",
                        domain.label));
      return std::nullopt;
    }
    std::vector<std::string> prompts;
    for (const Ordered& section : sections) prompts.push_back(section.at("prompt"));
    tell_(fmt::format("note: the expansion of {} is in the cache", domain.label));
    return prompts;
  } catch (const Ordered::exception&) {
    set_aside(path, "it is not whole JSON");
    return std::nullopt;
  }
}

void ExpansionCache::set_aside(const std::filesystem::path& file, const std::string& why) const {
  std::filesystem::path aside = file.string() + ".damaged";
  std::error_code error;
  for (int i = 2; std::filesystem::exists(aside, error); ++i) {
    aside = fmt::format("{}.damaged-{}", file.string(), i);
  }
  std::filesystem::rename(file, aside, error);
  tell_(fmt::format("warning: {} is damaged: {}; it is {} and made anew", file.string(), why,
                    error ? "left" : "kept as " + aside.filename().string()));
}

void ExpansionCache::keep(const Domain& domain, const std::string& question,
                          const std::vector<std::string>& prompts) const {
  Ordered sections = Ordered::array();
  for (std::size_t i = 0; i < prompts.size(); ++i) {
    sections.push_back({{"name", section_name(domain.label, domain.headings.at(i).title)},
                        {"prompt", prompts[i]}});
  }
  const Ordered entry{{"domain", domain.label},
                      {"question", question},
                      {"digest", digest_of(sections)},
                      {"sections", sections}};
  try {
    replace_whole(file(domain), entry.dump(2) + "\n");
  } catch (const std::system_error& error) {
    tell_(fmt::format("warning: the expansion of {} cannot be cached ({})", domain.label,
                      error.what()));
  }
}

}  // namespace corpus
