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

const Signs& signs_of_a_proposal() {
  static const Signs signs{{"suggest", "suggested", "propose", "proposed", "proposal", "asked to",
                            "asked whether", "asked if", "offered to", "would love", "dream",
                            "discussed", "considered", "wanted to", "want us to", "would like to",
                            "the idea", "looked at it"}};
  return signs;
}

const Signs& signs_of_a_refusal() {
  static const Signs signs{
      {"not pursued",     "not agreed",      "not approved",  "did not agree",      "was refused",
       "were against",    "was against",     "voted against", "was rejected",       "turned down",
       "said no",         "say no",          "will not do",   "is no plan",         "are no plans",
       "not supported",   "did not support", "not taken up",  "decided against",    "not going to",
       "nothing came of", "was dropped",     "were dropped",  "were not convinced", "not carried"}};
  return signs;
}

}  // namespace memo
