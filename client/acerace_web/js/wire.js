/**
 * The messages of PROTOCOL.md as types. Nothing here runs: the module exists for the checker and is never loaded.
 *
 * @typedef {string | number | boolean} OptionValue
 * @typedef {Record<string, OptionValue>} Options
 *
 * @typedef {{down: number, up: string[]}} ColumnState
 * @typedef {{columns: ColumnState[], stock: number, waste: string[], draw: number, recycles: number, moves: number,
 *   score: number}} SeatState
 * @typedef {{suit: string, owners: number[]}} FoundationState
 * @typedef {{seats: SeatState[], foundations: FoundationState[]}} TableState
 *
 * @typedef {{player: string, name: string, bot?: boolean, rating?: number | null}} PlayerInfo
 * @typedef {{suit: string, rank: number, winner: number, seq: number, loser: number, margin_us: number}} RaceInfo
 * @typedef {'waiting' | 'playing' | 'over'} Phase
 *
 * @typedef {{key: string, default: OptionValue, values?: OptionValue[], least?: number, most?: number}} OptionInfo
 * @typedef {{key: string, name: string, seats: number, options: OptionInfo[], presets: Record<string, Options>}} GameInfo
 * @typedef {{seek: string, name: string, game: string, options: Options, bot?: boolean,
 *   rated?: boolean, rating?: number | null}} SeekInfo
 * @typedef {{table: string, game: string, players: string[], scores: number[], seq: number, watchers: number}} TableInfo
 *
 * @typedef {{type: 'welcome', player: string, name: string, token: string, server: string, version?: number,
 *   limits: Record<string, number>, tables?: string[]}} Welcome
 * @typedef {{type: 'pong', nonce: number}} Pong
 * @typedef {{type: 'problem', code: string, detail?: string, nonce?: number | null, table?: string | null}} Problem
 * @typedef {{type: 'games', games: GameInfo[]}} Games
 * @typedef {{type: 'seeks', seeks: SeekInfo[]}} Seeks
 * @typedef {{type: 'tables', tables: TableInfo[], featured?: string | null}} Tables
 * @typedef {{type: 'seeking', seek: string, private?: boolean}} Seeking
 * @typedef {{type: 'unsought', seek: string}} Unsought
 * @typedef {{type: 'seated', table: string, seat: number}} Seated
 * @typedef {{type: 'refused', table: string, nonce: number, reason: string, detail?: string,
 *   race?: RaceInfo | null}} Refused
 * @typedef {{type: 'legal_moves', table: string, seq: number, moves: string[], undo?: boolean,
 *   redo?: boolean}} LegalMoves
 * @typedef {{type: 'advice', table: string, nonce: number, about: string, moves?: string[], blocked?: boolean}} Advice
 * @typedef {{type: 'watchers', table: string, count: number}} Watchers
 * @typedef {{type: 'closing', detail: string, table?: string | null}} Closing
 *
 * @typedef {{type: 'table', table: string, seq: number, at_us: number, game: string, options: Options,
 *   players: PlayerInfo[], phase: Phase, commitment?: string | null, code?: string | null, ready?: boolean[],
 *   state?: TableState | null, check?: number | null, turn?: number | null, done?: boolean[], away?: boolean[],
 *   races?: RaceInfo[], blocked?: boolean, watchers?: number, ended?: Ended | null,
 *   rated?: boolean, series?: SeriesInfo | null, started_us?: number | null, claim_in_ms?: number | null}} Snapshot
 *
 * @typedef {{kind: string, games: number, number: number, wins: number[], totals: number[], over?: boolean,
 *   winner?: number | null}} SeriesInfo
 * @typedef {{pool: string, rating: number, deviation: number, games: number, provisional?: boolean}} Rating
 * @typedef {{type: 'resumed', table: string, seq: number, missed: number}} Resumed
 * @typedef {{type: 'levels', levels: string[]}} Levels
 * @typedef {{type: 'rematch_offered', table: string, seat?: number | null}} RematchOffered
 * @typedef {{type: 'series', table: string, series: SeriesInfo}} SeriesStands
 * @typedef {{type: 'next_match', table: string, next: string}} NextMatch
 * @typedef {{type: 'said', table: string, seat: number, emote: string}} Said
 * @typedef {{type: 'rated', table: string, seats: {seat: number, before: number, after: Rating}[]}} Rated
 *
 * @typedef {{type: 'named', name: string, nonce: number}} Named
 * @typedef {{type: 'token_made', token: string, label: string, nonce: number}} TokenMade
 * @typedef {{key: string, label: string, made_us: number, revoked?: boolean}} TokenKey
 * @typedef {{type: 'tokens', tokens: TokenKey[], nonce: number}} Tokens
 * @typedef {{player: string, name: string, rating: Rating, bot?: boolean}} RankedPlayer
 * @typedef {{type: 'ranking', pool: string, players: RankedPlayer[], nonce: number}} Ranking
 * @typedef {{player: string, name: string, won: boolean, score?: number | null, contribution?: number | null,
 *   moves?: number | null, strict?: number | null, bot?: boolean}} ResultSeat
 * @typedef {{number: number, table: string, game: string, options: Options, finished_us: number, reason: string,
 *   seats: ResultSeat[], winner?: number | null, duration_ms?: number | null, code?: string | null}} Result
 * @typedef {{type: 'results', player: string, results: Result[], ratings: Rating[], nonce: number}} Results
 * @typedef {{game: string, options: Options, games: number, wins: number, streak: number, longest_streak: number,
 *   best_time_ms?: number | null, best_strict?: number | null, fewest_moves?: number | null,
 *   balance?: number | null}} SoloRecord
 * @typedef {{type: 'statistics', records: SoloRecord[], nonce: number}} Statistics
 * @typedef {{player: string, name: string, table: string, strict: number, won: boolean, duration_ms: number,
 *   moves: number, bot?: boolean}} DayResult
 * @typedef {{type: 'day', code: string, date: string, results: DayResult[], nonce: number}} Day
 * @typedef {{type: 'replay', table: string, text: string, part?: number, parts?: number, nonce: number}} Replay
 * @typedef {{claim_name: Named, new_token: TokenMade, list_tokens: Tokens, revoke_token: Tokens, get_ranking: Ranking,
 *   get_results: Results, get_statistics: Statistics, get_day: Day, get_replay: Replay}} Answers
 *
 * @typedef {{table: string, seq: number, at_us: number}} EventBase
 * @typedef {EventBase & {type: 'readied', seat: number, nonce: number}} Readied
 * @typedef {EventBase & {type: 'dealt', state: TableState, check: number, turn?: number | null}} Dealt
 * @typedef {{seat: number, nonce: number, move: string, cards?: string[], slot?: number | null,
 *   turned?: string | null, score: number, blocked?: boolean, check: number}} MoveFields
 * @typedef {EventBase & MoveFields & {type: 'played', turn?: number | null}} Played
 * @typedef {EventBase & MoveFields & {type: 'undone', moves: number}} Undone
 * @typedef {EventBase & {type: 'passed', seat: number, nonce: number, turn: number}} Passed
 * @typedef {EventBase & {type: 'said_done', seat: number, nonce: number}} SaidDone
 * @typedef {EventBase & {type: 'presence', seat: number, away: boolean, claim_in_ms?: number | null}} Presence
 * @typedef {EventBase & {type: 'warned', ends_in_ms: number}} Warned
 * @typedef {EventBase & {type: 'ended', reason: string, winner?: number | null, scores: number[],
 *   contributions: number[], strict?: number[], moves: number[], refusals: number[], races?: RaceInfo[],
 *   duration_ms: number, secret?: string | null, seeds?: string[], nonce?: number | null}} Ended
 *
 * @typedef {Readied | Dealt | Played | Undone | Passed | SaidDone | Presence | Warned | Ended} TableEvent
 * @typedef {RematchOffered | SeriesStands | NextMatch | Said | Rated} CompanyMessage
 * @typedef {Snapshot | TableEvent | Refused | LegalMoves | Advice | Watchers | Resumed | CompanyMessage} TableMessage
 * @typedef {Welcome | Pong | Problem | Games | Seeks | Tables | Seeking | Unsought | Seated | Closing
 *   | Levels | TableMessage | Answers[keyof Answers]} ServerMessage
 *
 * @typedef {{type: string, [field: string]: unknown}} ClientMessage
 */

export {};
