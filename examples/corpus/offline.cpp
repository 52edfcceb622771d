// The library is not in here, and neither is a model: pages of the length that was asked for.
#include "corpus/offline.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "corpus/tasks.hpp"
#include "corpus/types.hpp"

namespace corpus {
namespace {

using Json = nlohmann::json;

constexpr std::size_t frame = 8;  // words of a sentence beside its term
constexpr const char* notice = "Filler text: a model writes this page (--provider).\n\n";

City city_named(const std::string& name) {
  return {name.empty() ? "Halminster" : name,
          1240,
          "Sample",
          {"Northgate", "Southgate", "Eastgate", "Westgate", "Market", "Harbour"}};
}

/// Sentences until there are about as many words, each of one term, or of several where there are
/// too many for that.
std::string fill(const City& city, const std::vector<std::string>& terms, std::size_t words) {
  std::string text = notice;
  std::size_t count = count_words(text);
  std::size_t all = 0;
  for (const std::string& term : terms) all += count_words(term) + frame;
  const std::size_t together = 1 + (words == 0 ? 0 : all / words);
  std::size_t next = 0;
  for (std::size_t line = 1; !terms.empty() && (next < terms.size() || count < words); ++line) {
    std::string named;
    for (std::size_t i = 0; i < together; ++i) {
      named += (named.empty() ? "" : ", ") + terms[next++ % terms.size()];
    }
    const std::string sentence =
        fmt::format("{} keeps records of {}: entry {} in {}.\n", city.name, named, line,
                    city.districts[line % city.districts.size()]);
    text += sentence;
    count += count_words(sentence);
  }
  return text;
}

Json invent(const Json& input) {
  const City city = city_named(input.at("name").get<std::string>());
  return {{"city", city},
          {"text", fill(city, city.districts, input.at("words").get<std::size_t>())}};
}

/// A prompt depends on its own heading alone, so that a change of one leaves the others as they
/// are.
Json expand(const Json& input) {
  const City city = input.at("city").get<City>();
  Json sections = Json::array();
  for (const Json& section : input.at("sections")) {
    const auto title = section.at("title").get<std::string>();
    sections.push_back(
        {{"title", title}, {"prompt", fmt::format("What {} has of {}.", city.name, title)}});
  }
  return {{"sections", std::move(sections)}};
}

Json write(const Json& input) {
  return {
      {"text", fill(input.at("city").get<City>(), input.at("terms").get<std::vector<std::string>>(),
                    input.at("words").get<std::size_t>())}};
}

}  // namespace

model::Answer OfflineWriter::do_ask(const model::Task& task, const std::stop_token& /*stop*/) {
  const Json input = Json::parse(task.input);
  if (task.name == "concept") return {.json = invent(input).dump(), .spent = {}};
  if (task.name == "expand") return {.json = expand(input).dump(), .spent = {}};
  if (task.name == "write") return {.json = write(input).dump(), .spent = {}};
  throw model::ProviderError{"the offline writer knows no task '" + task.name + "'", {}};
}

}  // namespace corpus
