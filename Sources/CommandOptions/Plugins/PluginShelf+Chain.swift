// SPDX-License-Identifier: Apache-2.0
package import AudioProcessing
package import CommandKit
internal import Downbeat
package import LV2Units
package import MusicalTime

extension PluginShelf {
  /// The prefix of the names of plug-ins.
  package static let prefix = "lv2:"

  /// True if a text names a plug-in.
  static func isPlugin(_ text: String) -> Bool { text.lowercased().hasPrefix(prefix) }

  /// The effects that the texts of an option name, in order.
  ///
  /// - Throws: `Failure` with exit status 64 if an effect does not exist, and 1 if a plug-in cannot
  ///   be used.
  func chain(
    _ texts: [String], of flag: String, rate: SampleRate, tempo: Tempo = .standard
  ) throws(Failure) -> SavedGraph {
    for text in texts where Self.isPlugin(text) {
      let plugin = try plugin(of: text, flag)
      guard plugin.isEffect else { throw Failure(.notEffect(uri: plugin.uri)) }
    }
    do throws(EffectError) {
      return try catalogue().chain(texts, rate: rate, tempo: tempo)
    } catch { throw Failure(error, flag) }
  }

  /// The instrument that the text of an option names, as part of a saved graph.
  ///
  /// - Throws: `Failure` as `chain`; with exit status 1 if the plug-in's state cannot be saved.
  package func instrument(
    _ text: String, of flag: String, rate: SampleRate
  ) throws(Failure) -> SavedGraph.Unit {
    let plugin = try plugin(of: text, flag)
    guard plugin.isInstrument else {
      throw Failure(.usage, "\(plugin.uri): not an instrument (it does not receive MIDI notes)")
    }
    let unit: any ParametricUnit
    do throws(EffectError) { unit = try catalogue().unit(text, rate: rate) } catch {
      throw Failure(error, flag)
    }
    guard let setup = (unit as? any SavableUnit)?.setup else {
      throw Failure(.failure, "\(plugin.uri): its state cannot be saved")
    }
    let set = unit.parameters
    let pairs = set.parameters.indices.map { (set.parameters[$0].name, set[$0]) }
    return SavedGraph.Unit(
      unit.name, setup, parameters: Dictionary(pairs) { first, _ in first })
  }

  /// The plug-in that a text names; it must be usable.
  package func plugin(of text: String, _ flag: String) throws(Failure) -> LV2Plugin {
    let name: String
    do throws(EffectError) {
      name = try EffectText(parsing: text).name
    } catch { throw Failure(error, flag) }
    guard name.hasPrefix(Self.prefix) else {
      throw FlagText(flag, text).failure(
        "not a plug-in (write lv2:NAME; for names: downbeat lv2 list)")
    }
    guard name.count > Self.prefix.count else {
      throw Failure(
        .usage, "\(flag) lv2: the plug-in's name is missing (for names: downbeat lv2 list)",
        options: [flag])
    }
    return try usablePlugin(named: String(name.dropFirst(Self.prefix.count)))
  }
}

extension Failure {
  /// The failure for an error in the text of an option.
  package init(_ error: EffectError, _ flag: String) {
    if case .unusable = error {
      self.init(.failure, "\(error)")
    } else {
      self.init(.usage, "\(flag): \(error)")
    }
  }
}
