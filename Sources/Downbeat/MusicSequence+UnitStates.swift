// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicSequences

extension MusicSequence {
  /// Sets the units that tracks name up as the tracks' settings say.
  ///
  /// - Throws: `PlaybackError.noState` where a unit takes no state; what a unit says of its bytes.
  func restoreStates(of units: [any ProcessingUnit]) throws {
    for (index, track) in tracks.enumerated() where !track.settings.unitState.isEmpty {
      let name = track.settings.destination
      guard let unit = units.first(where: { $0.name == name }) as? any StatefulUnit else {
        throw PlaybackError.noState(unit: name, track: index)
      }
      try unit.restore(track.settings.unitState)
    }
  }
}
