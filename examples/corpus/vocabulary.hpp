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

inline constexpr std::array openings{
    Words{"In {y}"},
    Words{"In the spring of {y}"},
    Words{"In the autumn of {y}"},
    Words{"In {d}"},
    Words{"On {s}"},
    Words{"Along the {r}"},
    Words{"After the flood of {y}"},
    Words{"Before {b} was built"},
    Words{"Two generations after the founding"},
    Words{"When {p} chaired the council"},
    Words{"For the first time since {y}"},
    Words{"At the request of {o}"},
    Words{"In the winter that closed the {r} with ice"},
    Words{"Between {d} and {d}"},
};

inline constexpr std::array cores{
    Words{"the council put {t} on its agenda"},
    Words{"{o} opened a file on {t}"},
    Words{"{p} gave {n} lectures on {t} and on {t}"},
    Words{"{w} printed a series on {t}"},
    Words{"a reading circle in {d} took up {t}"},
    Words{"the schools of {d} added a lesson on {t}"},
    Words{"the archive moved its papers on {t} to {b}"},
    Words{"{o} compared its notes on {t} with those on {t}"},
    Words{"{p} collected {n} letters on {t}"},
    Words{"an exhibition in {b} showed maps and prints under the title of {t}"},
    Words{"the guild of {g} asked for a hearing on {t}"},
    Words{"the city chronicle gave {t} a chapter of its own, after the one on {t}"},
    Words{"{o} answered {n} questions on {t}"},
    Words{"a committee from {d} reported on {t}, and a second one on {t}"},
    Words{"{p} left a library on {t} to the city"},
    Words{"the debates in {b} turned from {t} to {t}"},
    Words{"a prize was offered for the best essay on {t}"},
    Words{"{w} and its rivals disagreed for {n} weeks over {t}"},
    Words{"the catalogue of {b} was given a new heading for {t}"},
    Words{"visitors from up the {r} asked the archivists for {t}"},
};

inline constexpr std::array ends{
    Words{"."},
    Words{"."},
    Words{", and the minutes fill {n} pages."},
    Words{", which {d} still remembers."},
    Words{"; the copy kept on {s} is the older one."},
    Words{", against the advice of {o}."},
    Words{", {n} years after the first report."},
    Words{"; {p} kept the protocol."},
    Words{", with {n} votes to spare."},
    Words{", and {w} wrote of little else."},
    Words{"; the papers are open to readers on {s}."},
    Words{", as {p} had proposed in {y}."},
};

inline constexpr std::array lists{
    Words{"The index of {b} lists {*}."},
    Words{"Under this heading {o} keeps files on {*}."},
    Words{"The reading room on {s} has shelves for {*}."},
    Words{"{p} left notes on {*}."},
    Words{"In {y} {w} ran columns on {*}."},
    Words{"The school of {d} examines on {*}."},
};

inline constexpr std::array first_paragraph{
    Words{"{u} has a place of its own in the records of {c}, which begin in {f}."},
    Words{"Whoever asks in {c} for {u} is sent to {b}, where the shelves on it take up a wall."},
    Words{"What {c} has written down under {u} is spread over {n} volumes, most of them kept in "
          "{d}."},
    Words{"The chronicle of {c} comes to {u} early, on its page {n}."},
};

inline constexpr std::array name_heads{Words{"York"}, Words{"Alder"}, Words{"Bren"},  Words{"Cas"},
                                Words{"Dun"},  Words{"Ester"}, Words{"Fal"},   Words{"Gren"},
                                Words{"Hal"},  Words{"Ister"}, Words{"Kel"},   Words{"Lind"},
                                Words{"Mar"},  Words{"Nor"},   Words{"Ostra"}, Words{"Pell"}};
inline constexpr std::array name_tails{Words{"bori"}, Words{"mere"}, Words{"stad"}, Words{"haven"},
                                Words{"wick"}, Words{"holm"}, Words{"gate"}, Words{"minster"}};
inline constexpr std::array quarter_tails{Words{" Quay"},  Words{" Hill"},   Words{" Gardens"},
                                   Words{" Cross"}, Words{" Market"}, Words{" Fields"},
                                   Words{" Locks"}, Words{" Rise"}};
inline constexpr std::array street_tails{Words{" Street"}, Words{" Lane"}, Words{" Square"},
                                  Words{" Row"},    Words{" Walk"}, Words{" Bridge Road"}};
inline constexpr std::array houses{Words{" Hall"}, Words{" House"}, Words{" Library"}, Words{" Institute"},
                            Words{" Museum"}};
inline constexpr std::array offices{
    Words{"the office of records"},  Words{"the town clerk"},      Words{"the harbour board"},
    Words{"the board of schools"},   Words{"the survey office"},   Words{"the city archive"},
    Words{"the statistical office"}, Words{"the board of health"}, Words{"the chamber of trade"},
    Words{"the water authority"}};
inline constexpr std::array papers{Words{"the Evening Ledger"}, Words{"the River Post"},
                            Words{"the Morning Bell"}, Words{"the Quay Gazette"}};
inline constexpr std::array guilds{Words{"printers"},  Words{"boatmen"}, Words{"bookbinders"},
                            Words{"surveyors"}, Words{"millers"}, Words{"lamp makers"}};
inline constexpr std::array given_names{Words{"Ada"},  Words{"Bertil"}, Words{"Clara"}, Words{"Dominik"},
                                 Words{"Edda"}, Words{"Florin"}, Words{"Greta"}, Words{"Henrik"},
                                 Words{"Ines"}, Words{"Jonas"},  Words{"Katya"}, Words{"Lorenz"}};

}  // namespace corpus
