// SPDX-License-Identifier: Apache-2.0
internal import ArgumentParser
internal import Downbeat
internal import MusicSequences

/// Draws the graph that a command would pull its sound from.
struct Graph: ParsableCommand {
  static let configuration = CommandConfiguration(
    abstract: "Draw the processing graph of play or render.",
    discussion: """
      `render` shares a song's channels among several instruments where it is worth it, so its \
      graph depends on the song.

      EXAMPLES:
        downbeat graph song.mid
        downbeat graph song.mid --for render --form dot | dot -Tsvg > graph.svg
        downbeat graph --form json --no-reverb
      """)

  /// Whose graph it is.
  enum Purpose: String, CaseIterable, ExpressibleByArgument {
    case play, render
  }

  /// How it is drawn.
  enum Form: String, CaseIterable, ExpressibleByArgument {
    case text, dot, json
  }

  @Argument(
    help: ArgumentHelp("The MIDI file; without it an empty song.", valueName: "file"),
    completion: .songs)
  var path: String?

  @Option(name: .customLong("for"), help: "The command whose graph is drawn: play or render.")
  var purpose = Purpose.play

  @Option(help: "The form of the drawing: text, dot (Graphviz) or json.")
  var form = Form.text

  @OptionGroup var sound: SoundOptions
  @OptionGroup var reading: SongOptions

  func run() throws {
    let settings = try sound.settings()
    let pads = try sound.pads()
    let sequences = try path.map { try reading.read($0).file.sequences } ?? [MusicSequence()]
    for sequence in sequences {
      let graph =
        switch purpose {
        case .play: try Session(sequence, settings: settings, pads: pads).graph
        case .render: try SongRenderer(sequence, settings: settings, pads: pads).graph()
        }
      let drawing = try GraphDrawing(graph)
      switch form {
      case .text: try Terminal.output(drawing.lines)
      case .dot: try Terminal.output(drawing.dot)
      case .json: try Terminal.output("\(drawing.json)")
      }
    }
  }
}
