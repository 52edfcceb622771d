#include "corpus/offline.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "corpus/dice.hpp"
#include "corpus/prose.hpp"
#include "corpus/types.hpp"

namespace corpus {
namespace {

using Json = nlohmann::json;

Json invent(const Json& input) {
  const City city = invent_city(input.at("name").get<std::string>());
  std::vector<std::string> places = city.districts;
  places.push_back("the " + city.river);
  const std::string text = write_prose(city, "the city and its districts", std::move(places),
                                       input.at("words").get<std::size_t>(), input.dump());
  return {{"city", city}, {"text", text}};
}

/// A prompt depends on its own heading alone, so that a change of one leaves the others as they
/// are.
std::string prompt(const City& city, const std::string& title,
                   const std::vector<std::string>& terms) {
  Dice dice{city.name + "\n" + title};
  std::string text =
      fmt::format("What the records of {} hold under {}", dice.pick(city.districts), title);
  if (terms.size() > 1) text += fmt::format(", from {} to {}", terms.front(), terms.back());
  return text + ".";
}

Json expand(const Json& input) {
  const City city = input.at("city").get<City>();
  Json sections = Json::array();
  for (const Json& section : input.at("sections")) {
    const Heading heading = section.get<Heading>();
    sections.push_back(
        {{"title", heading.title}, {"prompt", prompt(city, heading.title, heading.terms)}});
  }
  return {{"sections", std::move(sections)}};
}

Json write(const Json& input) {
  return {{"text", write_prose(input.at("city").get<City>(), input.at("section").get<std::string>(),
                               input.at("terms").get<std::vector<std::string>>(),
                               input.at("words").get<std::size_t>(), input.dump())}};
}

}  // namespace

model::Answer OfflineWriter::do_ask(const model::Task& task, const std::stop_token&) {
  const Json input = Json::parse(task.input);
  if (task.name == "concept") return {invent(input).dump(), {}};
  if (task.name == "expand") return {expand(input).dump(), {}};
  if (task.name == "write") return {write(input).dump(), {}};
  throw model::ProviderError{"the offline writer knows no task '" + task.name + "'", {}};
}

}  // namespace corpus
