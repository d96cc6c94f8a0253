// SPDX-License-Identifier: Apache-2.0
package import ArgumentParser
internal import AudioProcessing
internal import CommandKit
internal import CommandOptions
internal import JSONText
internal import PlayerControl
internal import PlayerViews

/// The command `downbeat effects`, which lists the effects and their parameters.
package struct Effects: ParsableCommand {
  package init() {}

  package static let configuration = CommandConfiguration(
    commandName: "effects", abstract: "List the audio effects and their parameters.",
    discussion: """
      Name an effect, followed by the parameters that differ from their defaults: --effect 'reverb \
      mix=30% decay=2s'. Values can be written with the listed unit, or without a unit. A time \
      parameter can be a note value at the song's first tempo, such as 1/4, 1/8. or 1/8t.

      EXAMPLES:
        downbeat effects
        downbeat effects delay
        downbeat song.mid --effect 'delay time=1/8. feedback=0.4' --effect chorus
        downbeat render song.mid -o song.flac --effect 'high-pass frequency=80Hz'
      """)

  @Argument(
    help: ArgumentHelp("Effects to show in full. Default: list all effects, one per line."),
    completion: .effects)
  package var names: [String] = []

  @Flag(help: "Print one JSON document.")
  package var json = false

  package func run() throws {
    // Other commands have the form `list`, so `effects list` is accepted.
    let names = names == ["list"] ? [] : names
    let catalogue = EffectCatalogue.standard
    let entries: [EffectEntry]
    do throws(EffectError) {
      entries = try names.map { name throws(EffectError) in try catalogue.entry(name) }
    } catch {
      throw Failure(.usage, "\(error)")
    }
    let shown = names.isEmpty ? catalogue.entries : entries
    guard !json else { return try Terminal.output(Self.document(shown)) }
    guard !names.isEmpty else {
      return try Terminal.output(shown.map { Self.padded($0.name, 14) + $0.summary })
    }
    for entry in shown { try Terminal.output(Self.lines(entry)) }
  }

  private static func lines(_ entry: EffectEntry) -> [String] {
    let rows = (entry.options.map(\.parameter) + entry.parameters).map { parameter in
      "  " + padded(parameter.name, 14) + padded(parameter.text(of: parameter.initialValue), 12)
        + parameter.rangeText + otherNames(of: parameter.name, in: entry)
    }
    let names = otherNames(of: "response", in: entry)
    let file = entry.readsResponse ? ["  " + padded("response", 14) + "a sound file\(names)"] : []
    return ["\(entry.name): \(entry.summary)"] + file + rows
  }

  /// Returns the other names of a parameter, such as `, also wet`; empty if it has only one.
  private static func otherNames(of name: String, in entry: EffectEntry) -> String {
    let names = aliases(of: name, in: entry)
    return names.isEmpty ? "" : ", also \(names.joined(separator: ", "))"
  }

  private static func aliases(of name: String, in entry: EffectEntry) -> [String] {
    entry.aliases.filter { $0.value == name }.keys.sorted()
  }

  private static func document(_ entries: [EffectEntry]) -> JSONValue {
    .object([
      ("v", 1), ("type", "effects"),
      (
        "effects",
        .array(
          entries.map { entry in
            .object([
              ("name", .text(entry.name)), ("summary", .text(entry.summary)),
              (
                "parameters",
                .array(
                  (entry.options.map(\.parameter) + entry.parameters).map {
                    Self.document($0, aliases(of: $0.name, in: entry))
                  })
              ),
            ])
          })
      ),
    ])
  }

  private static func document(_ parameter: Parameter, _ aliases: [String]) -> JSONValue {
    .object([
      ("name", .text(parameter.name)), ("least", .decimal("\(parameter.range.lowerBound)")),
      ("most", .decimal("\(parameter.range.upperBound)")),
      ("usual", .decimal("\(parameter.initialValue)")), ("range", .text(parameter.rangeText)),
      ("aliases", .array(aliases.map { .text($0) })),
    ])
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }
}
