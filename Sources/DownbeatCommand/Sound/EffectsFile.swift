// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import Downbeat
internal import LV2Units
internal import MusicalTime

/// A saved graph in a file, as `--graph` names it.
struct EffectsFile {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Reads the graph, and sees that its units can be made and fit together.
  func graph(rate: SampleRate) throws -> SavedGraph {
    let bytes = try InputFile(path: path).bytes
    let graph: SavedGraph
    do throws(GraphError) { graph = try SavedGraph(bytes) } catch {
      throw Failure(.badData, "\(path): \(error)")
    }
    let registry = try PluginShelf.standard.registry(for: [graph], working: .inLine)
    do throws(GraphError) {
      let restored = try graph.restored(by: registry, rate: rate)
      guard let inlet = restored.inlet, graph.head != nil else {
        throw .badDocument(
          path: "units", reason: "one inlet, by which the song comes in, and a head are expected")
      }
      // The mixer's sum is stereo, as is the limiter behind.
      var whole = AudioGraph()
      let source = whole.add(MixerUnit(name: "mix", stripCount: 1, rate: rate))
      try whole.setHead(source)
      try whole.insert(restored.graph, inlet: inlet, behind: source)
      _ = try whole.compile()
      return graph
    } catch {
      throw Failure(.badData, "\(path): \(error)")
    }
  }
}
