// SPDX-License-Identifier: Apache-2.0

/// What a zone of a SoundFont sets, by its number.
///
/// Source: SoundFont 2.04, section 8.1.2.
enum Generator {
  /// The numbers there are, from 0; room for all.
  static var count: Int {
    @_noAllocation @_noLocks
    get { 61 }
  }
}
