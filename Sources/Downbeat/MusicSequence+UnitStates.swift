// SPDX-License-Identifier: Apache-2.0
internal import AudioProcessing
internal import MusicSequences

extension MusicSequence {
  /// Restores the saved states of units from the settings of the tracks that name them.
  ///
  /// - Throws: `PlaybackError.noState` if a unit is missing or does not support states; the unit's
  ///   error about its bytes.
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
