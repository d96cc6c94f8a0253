// SPDX-License-Identifier: Apache-2.0
import SoundFontInstruments
import Testing

/// Runs each test of a suite with FluidSynth, then with Downbeat's voices.
struct BothEngines: SuiteTrait, TestTrait, TestScoping {
  /// The engine of the instruments that a test creates.
  @TaskLocal static var engine = InstrumentConfiguration.Engine.fluidSynth

  let isRecursive = true

  func provideScope(
    for test: Test, testCase: Test.Case?,
    performing function: @Sendable @concurrent () async throws -> Void
  ) async throws {
    for engine in InstrumentConfiguration.Engine.allCases {
      let named = IssueHandlingTrait.compactMapIssues { issue in
        var issue = issue
        issue.comments.append("by \(engine.rawValue)")
        return issue
      }
      try await Self.$engine.withValue(engine) {
        guard let scope = named.scopeProvider(for: test, testCase: testCase) else {
          return try await function()
        }
        try await scope.provideScope(for: test, testCase: testCase, performing: function)
      }
    }
  }
}

extension Trait where Self == BothEngines {
  /// Runs each test with both engines.
  static var bothEngines: Self { Self() }
}
