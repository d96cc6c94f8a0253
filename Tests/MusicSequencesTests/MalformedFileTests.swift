// SPDX-License-Identifier: Apache-2.0
import MusicSequences
import MusicalTime
import Testing

/// Damaged files: each has the outcome that is written down, and none brings the reader down.
@Suite struct MalformedFileTests {
  @Test(
    .enabled(if: Corpus.isPresent, "no corpus: set DOWNBEAT_CORPUS"),
    arguments: MalformedOutcomes.all)
  func `a damaged file has the outcome of the table`(path: String, outcome: String) throws {
    #expect(describe(try Corpus.bytes(of: path)) == outcome)
  }

  private static let leftOut: Set<Repair.Kind> = [
    .metaType, .tempoLength, .tempoZero, .timeSignature, .keySignature,
  ]

  @Test(.enabled(if: Corpus.isPresent, "no corpus: set DOWNBEAT_CORPUS"))
  func `counts of damaged files that several readers agree on are theirs`() throws {
    let agreed = try Corpus.entries().filter {
      $0.status == "anomalous" && ["unanimous", "core-agree"].contains($0.confidence)
    }
    #expect(agreed.count == 30)
    for entry in agreed {
      let file = try SMFReader().read(try Corpus.bytes(of: entry.path))
      let summary = try SequenceSummary(file)
      // The others count metas without meaning, which we leave out.
      let leftOut = file.repairs.count { Self.leftOut.contains($0.kind) }
      #expect(summary.events + leftOut == entry.number("events"), "\(entry.path)")
      #expect(summary.noteOns == entry.number("note_ons"), "\(entry.path)")
      #expect(summary.maxTick.value == entry.number("max_tick").map(Int64.init), "\(entry.path)")
    }
  }

  @Test(.enabled(if: Corpus.isPresent, "no corpus: set DOWNBEAT_CORPUS"))
  func `strict reading throws the first repair of a lenient one`() throws {
    for (path, outcome) in MalformedOutcomes.all where outcome.hasPrefix("repaired") {
      let bytes = try Corpus.bytes(of: path)
      let repairs = try SMFReader().read(bytes).repairs.filter { !$0.isRemark }
      #expect(throws: SequenceError.self, "\(path)") {
        do throws(SequenceError) {
          _ = try SMFReader(strict: true).read(bytes)
        } catch {
          guard case .malformed(let repair) = error else { throw error }
          #expect(repairs.contains(repair), "\(path)")
          throw error
        }
      }
    }
  }

  private func describe(_ bytes: [UInt8]) -> String {
    do {
      let file = try SMFReader().read(bytes)
      let summary = try SequenceSummary(file)
      var words: [(name: String, count: Int)] = []
      for repair in file.repairs where !repair.isRemark {
        let name = repair.kind.rawValue + (repair.track.map { " \($0)" } ?? "")
        if words.last?.name == name {
          words[words.count - 1].count += 1
        } else {
          words.append((name, 1))
        }
      }
      let repairs = words.map { $0.count == 1 ? $0.name : "\($0.name) x\($0.count)" }
      let status = file.isRepaired ? "repaired" : "clean"
      let list = repairs.isEmpty ? "" : " " + repairs.joined(separator: ", ")
      return "\(status) \(summary.events) \(summary.noteOns) \(summary.maxTick.value):\(list)"
    } catch {
      return "refused: \(error)"
    }
  }
}
