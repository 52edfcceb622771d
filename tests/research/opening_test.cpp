// What a report may open with, and what only points to other places.
#include "research/opening.hpp"

#include <gtest/gtest.h>

#include "research/leaning.hpp"

namespace research {
namespace {

TEST(Opening, ACaptionWithoutAVerbIsNoStatement) {
  for (const char* text :
       {"Mostly a barrow standing under the mill, or a ladder on the wheel.",
        "A Dutch style mill wheel bought new, 2,390 crowns.", "Flour for thirty years.",
        "More wheels, not more flour.", "Fine flour, sifted in the dark and fixed to the sack."}) {
    EXPECT_FALSE(is_statement(text)) << text;
  }
  for (const char* text :
       {"The mill grinds rye.", "The miller sifted flour by hand.", "The mill stood by the river.",
        "We open the mill at noon.", "Two wheels are of oak.", "The works begin in June.",
        "A chart of 1888 shows 12 mills.", "The parish built the mill of oak.",
        "The fund has 4,300 crowns by now."}) {
    EXPECT_TRUE(is_statement(text)) << text;
  }
}

TEST(Opening, ALabelAnOfferADemandANoticeAndAnOrderAreNoStatements) {
  for (const char* text :
       {"Topics for millers: stones that crack; owls that live in the mill.",
        "A thesis on the mill is offered by the school.", "Rye is required, a cart helpful.",
        "3 May 2025: the mill is closed.", "The news of the day: THE MILL HAS MOVED again.",
        "Walk round the mill twice.", "Now just three mills are left."}) {
    EXPECT_FALSE(is_statement(text)) << text;
  }
  for (const char* text : {"The mill grinds three sorts: rye, wheat and oats.",
                           "The NHS and the BBC paid for the mill."}) {
    EXPECT_TRUE(is_statement(text)) << text;
  }
}

TEST(Leaning, ASentenceThatBeginsWithThereAsAPlaceNeedsTheOneBefore) {
  EXPECT_TRUE(leans_on_another("There dust darkens the flour."));
  for (const char* text : {"There is a mill.", "There are two mills.", "There's a mill.",
                           "There stands a mill.", "There were mills."}) {
    EXPECT_FALSE(leans_on_another(text)) << text;
  }
}

}  // namespace
}  // namespace research
