#include "memo/changes.hpp"

namespace memo {

const Signs& signs_of_a_change() {
  static const Signs signs{
      {"wrong",      "mistake", "error",     "correct",     "correction",    "restat*",
       "revis*",     "instead", "no longer", "used to say", "counted twice", "had counted",
       "left out",   "again",   "audit*",    "quoting",     "take back",     "putting right",
       "put right",  "replace", "therefore", "in the end",  "now stand",     "now",
       "given up",   "gave up", "new aim",   "new goal",    "we had said",   "we said",
       "had spoken", "as we",   "actual",    "as of today", "honest",        "comes to",
       "at present", "by now",  "rais*",     "rises to",    "came out at",   "come down",
       "gone up",    "went up", "up from",   "down from",   "fallen",        "risen"}};
  return signs;
}

const Signs& signs_of_an_end() {
  static const Signs signs{{"given up", "gave up", "abandon*", "dropped", "cancelled", "was wrong",
                            "were wrong", "no longer true", "no longer holds", "called off"}};
  return signs;
}

const Signs& signs_of_a_mistake() {
  static const Signs signs{{"wrong",
                            "mistake",
                            "error",
                            "correct",
                            "correction",
                            "we said",
                            "i said",
                            "i wrote",
                            "i told",
                            "we told",
                            "we wrote",
                            "was given",
                            "stated",
                            "as reported",
                            "had been",
                            "left out",
                            "take back",
                            "no longer",
                            "earlier figure",
                            "counted twice",
                            "deck",
                            "slide",
                            "our overview",
                            "my overview",
                            "our letter",
                            "my letter",
                            "our page",
                            "our website",
                            "our site",
                            "our brochure",
                            "our leaflet",
                            "our report",
                            "my report",
                            "our presentation",
                            "my presentation",
                            "our last plan",
                            "our notes",
                            "my notes",
                            "our mail",
                            "my mail",
                            "our profile",
                            "our prospectus",
                            "our fact sheet",
                            "our announcement",
                            "my memo",
                            "we'd said",
                            "we had said",
                            "in the prospectus",
                            "in the memo",
                            "in the letter",
                            "in the plan",
                            "in the summary",
                            "in the report"}};
  return signs;
}

}  // namespace memo
