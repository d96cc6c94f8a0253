// SPDX-License-Identifier: Apache-2.0
internal import ALSAAudio
internal import Downbeat
internal import PlayerControl
internal import TerminalViews

/// The live view of a song, with its keys.
package struct LivePlay {
  package let display: LiveDisplay
  /// Saves the settings of the song; nil if they are not saved.
  package var memory: SettingKeeper?
  private let picture: PlayPicture
  private var load = LiveLoad()
  private var parts = LiveParts()

  private var controls: PlayControls { picture.controls }

  package init(_ display: LiveDisplay, _ picture: PlayPicture) {
    self.display = display
    self.picture = picture
  }

  /// Performs the keys, and draws; at once if another command was performed, too.
  ///
  /// After it, check the queue to find out if the song was ended.
  package mutating func update(isUrgent: Bool) {
    let keys = display.keys()
    parts.pageCount = display.pageCount
    for key in keys where !controls.hasEnded { act(key) }
    if isUrgent || !keys.isEmpty { display.messages.say(controls.message) }
    display.messages.update()
    if let session = controls.session { load.update(session.renderLoad) }
    display.show(isUrgent: isUrgent || !keys.isEmpty) {
      var state = picture.state(display.bindings, parts, load: load.text)
      state.message = display.messages.text
      return state
    }
  }

  /// Restores the saved settings of the song, and saves later ones.
  ///
  /// - Throws: `PlaybackError` if a track names an unknown destination, which was already checked
  ///   for the song.
  package mutating func take(_ keeper: SettingKeeper) throws {
    memory = keeper
    guard !keeper.isPlain else { return }
    try controls.take(keeper.setting(over: controls.setting))
    display.messages.say(controls.message)
  }

  /// Saves the settings of the song.
  package func remember() {
    memory?.keep(controls.setting)
  }

  private mutating func act(_ key: Keystroke) {
    if case .click(let column, let row) = key {
      if let part = display.fraction(column: column, row: row) { controls.go(to: part) }
      return
    }
    switch display.bindings.action(of: key) ?? .show(.closeOverlay) {
    case .perform(let command):
      controls.act(command)
      if case .selectChannel = command { parts.hasChannels = true }
    case .show(let change):
      parts.apply(change)
      controls.message = ""
    }
  }
}
