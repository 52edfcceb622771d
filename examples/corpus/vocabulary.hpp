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
    Words{"For the first time in {n} years"},
    Words{"At the request of {o}"},
    Words{"In the winter that closed the {r} with ice"},
    Words{"Between {d} and {d}"},
};

inline constexpr std::array cores{
    Words{"the council heard a report under the heading {t}"},
    Words{"{o} opened a file {t}"},
    Words{"{p} gave {n} lectures, the first called {t} and the last {t}"},
    Words{"{w} began a column called {t}"},
    Words{"a reading circle in {d} worked through the shelf {t}"},
    Words{"the schools of {d} borrowed the boxes {t} and {t}"},
    Words{"the archive moved the papers that it keeps as {t} to {b}"},
    Words{"{o} bound its notes {t} in one volume with those called {t}"},
    Words{"{p} left {n} letters to the city, which the clerks filed under {t}"},
    Words{"an exhibition in {b} showed maps and prints from the folder {t}"},
    Words{"the guild of {g} paid for a new index to {t}"},
    Words{"the city chronicle was given a chapter {t}, after the one on {t}"},
    Words{"{o} answered {n} letters and kept them as {t}"},
    Words{"two readers from {d} copied the entries {t} and {t}"},
    Words{"{p} arranged the library of {b} anew, from {t} to {t}"},
    Words{"a prize was offered for the best essay with the title {t}"},
    Words{"{w} reprinted the entry {t} in {n} parts"},
    Words{"the catalogue of {b} was given a new heading {t}"},
    Words{"visitors from up the {r} asked the archivists for the folder {t}"},
    Words{"the printers of {d} set {n} pages for the volume {t}"},
};

inline constexpr std::array ends{
    Words{"."},
    Words{"."},
    Words{", and the register fills {n} pages."},
    Words{", which {d} still remembers."},
    Words{"; the copy kept on {s} is the older one."},
    Words{", with the help of {o}."},
    Words{", {n} years after the first report."},
    Words{"; {p} kept the register."},
    Words{", and {n} copies were made."},
    Words{", as {w} reported."},
    Words{"; the papers are open to readers on {s}."},
    Words{", as {p} had proposed."},
};

inline constexpr std::array lists{
    Words{"The index of {b} lists {*}."},
    Words{"In the same room {o} keeps the files {*}."},
    Words{"The reading room on {s} has shelves for {*}."},
    Words{"{p} left folders that are called {*}."},
    Words{"In {y} {w} ran the columns {*}."},
    Words{"The library of {d} has boxes for {*}."},
};

inline constexpr std::array first_paragraph{
    Words{"{u} has a place of its own in the records of {c}, which begin in {f}."},
    Words{"Whoever asks in {c} for {u} is sent to {b}, where the shelves on it take up a wall."},
    Words{"What {c} has written down under {u} is spread over {n} volumes, most of them kept in "
          "{d}."},
    Words{"The chronicle of {c} comes to {u} early, on its page {n}."},
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
