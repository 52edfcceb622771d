/// @file
/// The three things that the corpus asks of a provider: a concept of the city, a plan of each
/// domain's sections, and each section. Each builds a task, asks, and checks the answer.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "corpus/types.hpp"
#include "model/provider.hpp"

namespace corpus {

struct Concept {
  City city;
  std::string text;
};

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Concept, city, text)

/// A city of this name; of a name that the provider chooses when it is empty.
[[nodiscard]] model::Task concept_task(const std::string& name, std::size_t words);
/// What each section of a domain should cover. Asks for all of them, wanted now or not, so that a
/// longer corpus asks nothing new.
[[nodiscard]] model::Task expand_task(const City& city, const Domain& domain);
[[nodiscard]] model::Task write_task(const Piece& section);

/// @throws model::ProviderError  no answer, or (retryable) one that does not fit
[[nodiscard]] Concept ask_concept(const model::Call& call, const model::Task& task);
/// The prompts of the sections, one for each heading of `domain`, in their order.
/// @throws as ask_concept()
[[nodiscard]] std::vector<std::string> ask_expansion(const model::Call& call,
                                                     const model::Task& task, const Domain& domain);
/// @throws as ask_concept()
[[nodiscard]] std::string ask_section(const model::Call& call, const model::Task& task);

/// Words are what white space separates.
[[nodiscard]] std::size_t count_words(std::string_view text);

}  // namespace corpus
