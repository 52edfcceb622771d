/// @file
/// What the thirteen stages do, as functions of values; pipeline.cpp makes stages of them. Three
/// ask the provider: deck_analyst once, draft once a section, fact_check once for twenty
/// statements.
#pragma once

#include <string>
#include <vector>

#include "memo/sources.hpp"
#include "memo/types.hpp"
#include "model/provider.hpp"

namespace memo {

/// deck_analyst: what the deck says to some of the outline's questions. `deck` names its files; if
/// it names none, memo::default_deck() does.
Deck analyze_deck(const model::Call& call, const Request& request,
                  const std::vector<std::string>& deck, const Sources& sources);

/// research: what ranks best to each question in all sources; what the deck says comes first.
Research research(const Request& request, const Deck& deck, const Sources& sources, bool quoting);

/// section_research: shares the findings out. Without a model each passage is quoted once, at most
/// two to a question and eight in a section; a model gets all that was found. What a person wrote
/// is never left out.
std::vector<Brief> research_sections(const Request& request, const Research& research,
                                     bool quoting);

/// draft: one section, one call. Says what the sources do not.
Section draft_section(const model::Call& call, const Brief& brief);

/// enrich_trademark: the head of the memo: the name as the sources mark it, and one quote.
Text enrich_trademark(const Request& request, const std::vector<Brief>& briefs,
                      const Sources& sources, bool quoting);

/// enrich_socials: adds the profiles that the sources link to, to the section `team`.
Section enrich_socials(const Section& section, const Sources& sources);

/// enrich_links: links the first mention of each name to where the sources link it.
Section enrich_links(const Section& section, const Sources& sources);

/// enrich_visualizations: shows the tables of which the section cites a row.
Section enrich_visualizations(const Section& section, const Sources& sources);

/// cite: assembles the memo, numbers its citations, and lists them at its end.
Text cite(const Text& header, const std::vector<Section>& sections,
          const std::vector<Brief>& briefs);

/// validate_citations: follows every citation.
Validation validate_citations(const Request& request, const Text& draft,
                              const std::vector<Brief>& briefs, const Sources& sources);

/// fact_check: looks for the numbers and names of each statement in the passages that it cites.
Validation fact_check(const model::Call& call, const Validation& before, const Request& request,
                      const Text& draft, const std::vector<Brief>& briefs, const Sources& sources);

/// validate: the score of ten points, from counts alone. At most 7.9 if a number stands in nothing
/// that is cited for it, a citation leads nowhere, a section is missing, or there are fewer than
/// three statements: so an invented figure never passes 8.0.
Validation validate(const Validation& before, const std::vector<Section>& sections,
                    const std::vector<Brief>& briefs);

/// finalize: the state, with the final memo: the draft and a review of it.
MemoState finalize(const Request& request, const Deck& deck, const Research& research,
                   const std::vector<Brief>& briefs, const Text& header,
                   const std::vector<Section>& sections, const Text& draft,
                   const Validation& validation);

}  // namespace memo
