/// @file
/// What the grammar of prose.cpp is made of. Slots of sentences: {u} the subject, {t} a term, {*}
/// several; of the city {c} its name, {f} when it was founded, {r} its river, {d} a district;
/// invented on the spot {s} a street, {b} a building, {o} an office, {p} a person, {w} a newspaper,
/// {g} a guild, {y} a year, {n} a number.
#pragma once

#include <array>
#include <string_view>

namespace corpus {

using Words = std::string_view;

/// The first line of every page. A reader must not take the rest for an article.
inline constexpr Words notice =
    "> Placeholder text, made without a model: the offline writer filled this page by a grammar, "
    "and it says nothing about its title.";

inline constexpr std::array openings{
    Words{"In {y}"},
    Words{"In the spring of {y}"},
    Words{"In the autumn of {y}"},
    Words{"At the end of {y}"},
    Words{"When {p} was mayor"},
};

/// What happened in the city. No term occurs in them, since most would make no sense there.
inline constexpr std::array events{
    Words{"the bridge at the end of {s} was rebuilt"},
    Words{"the roof of {b} was repaired"},
    Words{"{p} drew a new map of {d}"},
    Words{"the quay of {d} was raised by {n} centimetres"},
    Words{"{n} trees were planted along {s}"},
    Words{"{b} was opened to readers"},
    Words{"{n} houses on {s} were given new numbers"},
    Words{"the ferry over the {r} was given a landing in {d}"},
    Words{"the square before {b} was paved"},
    Words{"the lamps on {s} were replaced"},
    Words{"{o} moved to {b}"},
    Words{"the guild of {g} paid for new windows in {b}"},
    Words{"a school for {n} children was opened in {d}"},
    Words{"{p} left {n} drawings of the {r} to the city"},
};

inline constexpr std::array ends{
    Words{"."},
    Words{"."},
    Words{", as {w} reported."},
    Words{"; {p} kept the accounts."},
    Words{", and {d} paid half of it."},
    Words{"; the drawings are kept in {b}."},
    Words{", at the request of {o}."},
    Words{"; the work took {n} weeks."},
};

/// Where the archives have something on a term.
inline constexpr std::array shelves{
    Words{"The catalogue of {b} lists {t} on its page {n}."},
    Words{"The papers on {t} are in room {n} of {b}."},
    Words{"Books on {t} are on shelf {n} of the library of {d}."},
    Words{"For {t} the register names {n} folders, all of them on {s}."},
    Words{"Under {t} the card index of {b} has {n} cards."},
    Words{"Shelf {n} of {b} is shared by {t} and {t}."},
    Words{"The reading room on {s} has {n} books on {t}."},
    Words{"The index of {b} refers from {t} to {t}."},
    Words{"What the city archive has on {t} is in box {n}."},
    Words{"Maps and prints on {t} are in drawer {n} of the map room on {s}."},
};

inline constexpr std::array lists{
    Words{"The index of {b} lists {*}."},
    Words{"The next room has the folders {*}."},
    Words{"The reading room on {s} has shelves for {*}."},
    Words{"The library of {d} has boxes for {*}."},
};

inline constexpr std::array first_paragraph{
    Words{"The records of {c}, which begin in {f}, have a part of their own for {u}."},
    Words{"Whoever asks in {c} for {u} is sent to {b}, where the shelves on it take up a wall."},
    Words{"What {c} has written down under {u} is spread over {n} volumes, most of them kept in "
          "{d}."},
    Words{"The catalogue of {c} comes to {u} early, on its page {n}."},
};

inline constexpr std::array name_heads{
    Words{"York"}, Words{"Alder"}, Words{"Bren"},  Words{"Cas"},   Words{"Dun"}, Words{"Ester"},
    Words{"Fal"},  Words{"Gren"},  Words{"Hal"},   Words{"Ister"}, Words{"Kel"}, Words{"Lind"},
    Words{"Mar"},  Words{"Nor"},   Words{"Ostra"}, Words{"Pell"}};
inline constexpr std::array name_tails{Words{"bori"},  Words{"mere"},   Words{"stad"},
                                       Words{"haven"}, Words{"wick"},   Words{"holm"},
                                       Words{"gate"},  Words{"minster"}};
inline constexpr std::array quarter_tails{Words{" Quay"},  Words{" Hill"},   Words{" Gardens"},
                                          Words{" Cross"}, Words{" Market"}, Words{" Fields"},
                                          Words{" Locks"}, Words{" Rise"}};
inline constexpr std::array street_tails{Words{" Street"}, Words{" Lane"}, Words{" Square"},
                                         Words{" Row"},    Words{" Walk"}, Words{" Bridge Road"}};
inline constexpr std::array houses{Words{" Hall"}, Words{" House"}, Words{" Library"},
                                   Words{" Institute"}, Words{" Museum"}};
inline constexpr std::array offices{Words{"the office of records"},  Words{"the town clerk"},
                                    Words{"the harbour board"},      Words{"the board of schools"},
                                    Words{"the survey office"},      Words{"the city archive"},
                                    Words{"the statistical office"}, Words{"the board of health"},
                                    Words{"the chamber of trade"},   Words{"the water authority"}};
inline constexpr std::array papers{Words{"the Evening Ledger"}, Words{"the River Post"},
                                   Words{"the Morning Bell"}, Words{"the Quay Gazette"}};
inline constexpr std::array guilds{Words{"printers"},  Words{"boatmen"}, Words{"bookbinders"},
                                   Words{"surveyors"}, Words{"millers"}, Words{"lamp makers"}};
inline constexpr std::array given_names{Words{"Ada"},     Words{"Bertil"}, Words{"Clara"},
                                        Words{"Dominik"}, Words{"Edda"},   Words{"Florin"},
                                        Words{"Greta"},   Words{"Henrik"}, Words{"Ines"},
                                        Words{"Jonas"},   Words{"Katya"},  Words{"Lorenz"}};

}  // namespace corpus
