// SPDX-License-Identifier: Apache-2.0
import TestSupport
import Testing
import WholeFiles

/// The file that a missing name may mean.
@Suite struct SimilarFileTests {
  private let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
    for name in ["Rag.mid", "groove.midi", "take.wav", ".hidden.mid", "a.mid"] {
      _ = try scratch.write(name, [])
    }
    PrivateFolder.make(scratch.path("Songs"))
  }

  @Test(arguments: [
    ("rag.mid", "Rag.mid"), ("Rag.midi", "Rag.mid"), ("rag", "Rag.mid"), ("RAG.MIDI", "Rag.mid"),
    ("groove.mid", "groove.midi"), ("groove", "groove.midi"), ("goove.midi", "groove.midi"),
    ("groovee.midi", "groove.midi"), ("grovoe.midi", "groove.midi"),
    ("grooce.midi", "groove.midi"), ("Take.WAV", "take.wav"), ("takr.wav", "take.wav"),
  ])
  func `a name that differs in case, suffix or one letter has a similar file`(
    typed: String, found: String
  ) {
    #expect(SimilarFile.of(scratch.path(typed)) == scratch.path(found))
    #expect(
      SimilarFile.question(for: scratch.path(typed)) == " (did you mean \(scratch.path(found))?)")
  }

  @Test(arguments: [
    "b.mid", "other.mid", "groves.midi", "take", "take.mid", "hidden.mid", ".hiden.mid", "songs",
    "none/rag.mid",
  ])
  func `other names have none, nor have folders and hidden files`(typed: String) {
    #expect(SimilarFile.of(scratch.path(typed)) == nil)
    #expect(SimilarFile.question(for: scratch.path(typed)).isEmpty)
  }
}
