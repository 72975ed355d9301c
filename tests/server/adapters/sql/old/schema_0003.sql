BEGIN TRANSACTION;
CREATE TABLE accounts (
	player TEXT NOT NULL, 
	name TEXT NOT NULL, 
	folded TEXT NOT NULL, 
	password_hash TEXT NOT NULL, 
	claimed_us BIGINT NOT NULL, 
	CONSTRAINT pk_accounts PRIMARY KEY (player), 
	CONSTRAINT fk_accounts_player FOREIGN KEY(player) REFERENCES players (id), 
	CONSTRAINT uq_accounts_folded UNIQUE (folded)
);
INSERT INTO "accounts" VALUES('ada','Ada','ada','$argon2id$x',1800000007000000);
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0003');
CREATE TABLE entries (
	table_number INTEGER NOT NULL, 
	number INTEGER NOT NULL, 
	at_ns BIGINT NOT NULL, 
	seat SMALLINT NOT NULL, 
	told BLOB NOT NULL, 
	CONSTRAINT pk_entries PRIMARY KEY (table_number, number), 
	CONSTRAINT fk_entries_table_number FOREIGN KEY(table_number) REFERENCES tables (number)
);
INSERT INTO "entries" VALUES(1,0,1000000000,0,X'84A474797065A4706C6179A57461626C65A46F766572A56E6F6E636500A46D6F7665A164');
INSERT INTO "entries" VALUES(1,1,2000000000,0,X'84A474797065A4706C6179A57461626C65A46F766572A56E6F6E636501A46D6F7665A164');
INSERT INTO "entries" VALUES(2,0,1000000000,0,X'84A474797065A4706C6179A57461626C65A46C656674A56E6F6E636500A46D6F7665A164');
INSERT INTO "entries" VALUES(2,1,2000000000,0,X'84A474797065A4706C6179A57461626C65A46C656674A56E6F6E636501A46D6F7665A164');
INSERT INTO "entries" VALUES(3,0,1000000000,0,X'84A474797065A4706C6179A57461626C65A46C697665A56E6F6E636500A46D6F7665A164');
INSERT INTO "entries" VALUES(3,1,2000000000,0,X'84A474797065A4706C6179A57461626C65A46C697665A56E6F6E636501A46D6F7665A164');
INSERT INTO "entries" VALUES(3,2,3000000000,0,X'84A474797065A4706C6179A57461626C65A46C697665A56E6F6E636502A46D6F7665A164');
INSERT INTO "entries" VALUES(3,3,4000000000,0,X'84A474797065A4706C6179A57461626C65A46C697665A56E6F6E636503A46D6F7665A164');
CREATE TABLE players (
	id TEXT NOT NULL, 
	name TEXT NOT NULL, 
	bot BOOLEAN NOT NULL, 
	made_us BIGINT NOT NULL, 
	CONSTRAINT pk_players PRIMARY KEY (id)
);
INSERT INTO "players" VALUES('ada','Ada',0,1800000001000000);
INSERT INTO "players" VALUES('bruno','Bruno',0,1800000001000000);
CREATE TABLE ratings (
	player TEXT NOT NULL, 
	pool TEXT NOT NULL, 
	mu FLOAT NOT NULL, 
	sigma FLOAT NOT NULL, 
	games INTEGER NOT NULL, 
	updated_seq BIGINT NOT NULL, 
	CONSTRAINT pk_ratings PRIMARY KEY (player, pool), 
	CONSTRAINT fk_ratings_player FOREIGN KEY(player) REFERENCES players (id)
);
INSERT INTO "ratings" VALUES('ada','fast',25.0,8.0,1,1);
CREATE TABLE result_seats (
	result_number INTEGER NOT NULL, 
	seat SMALLINT NOT NULL, 
	player TEXT NOT NULL, 
	name TEXT NOT NULL, 
	bot BOOLEAN NOT NULL, 
	won BOOLEAN NOT NULL, 
	score INTEGER, 
	contribution INTEGER, 
	moves INTEGER, 
	strict INTEGER, 
	CONSTRAINT pk_result_seats PRIMARY KEY (result_number, seat), 
	CONSTRAINT fk_result_seats_result_number FOREIGN KEY(result_number) REFERENCES results (number)
);
INSERT INTO "result_seats" VALUES(1,0,'ada','Ada',0,0,20,20,50,NULL);
INSERT INTO "result_seats" VALUES(1,1,'bruno','Bruno',0,1,30,29,60,NULL);
INSERT INTO "result_seats" VALUES(2,0,'ada','Ada',0,0,NULL,NULL,NULL,NULL);
CREATE TABLE results (
	number INTEGER NOT NULL, 
	table_number INTEGER NOT NULL, 
	finished_us BIGINT NOT NULL, 
	reason TEXT NOT NULL, 
	winner SMALLINT, 
	duration_ms BIGINT, 
	races INTEGER NOT NULL, 
	ended TEXT, sequel TEXT, 
	CONSTRAINT pk_results PRIMARY KEY (number), 
	CONSTRAINT fk_results_table_number FOREIGN KEY(table_number) REFERENCES tables (number), 
	CONSTRAINT uq_results_table_number UNIQUE (table_number)
);
INSERT INTO "results" VALUES(1,1,1800000003000000,'blocked',1,90000,0,'{"at_us":9,"contributions":[20,29],"duration_ms":90000,"moves":[50,60],"reason":"blocked","refusals":[0,1],"scores":[20,30],"secret":"6f766572","seq":9,"table":"over","type":"ended","winner":1}',NULL);
INSERT INTO "results" VALUES(2,2,1800000005000000,'left',NULL,NULL,0,NULL,NULL);
CREATE TABLE tables (
	number INTEGER NOT NULL, 
	id TEXT NOT NULL, 
	game TEXT NOT NULL, 
	options TEXT NOT NULL, 
	players TEXT NOT NULL, 
	opened_us BIGINT NOT NULL, 
	opened_ns BIGINT NOT NULL, 
	secret BLOB NOT NULL, 
	code TEXT, 
	public BOOLEAN NOT NULL, 
	state TEXT NOT NULL, rated BOOLEAN DEFAULT 0 NOT NULL, series TEXT, 
	CONSTRAINT pk_tables PRIMARY KEY (number), 
	CONSTRAINT uq_tables_id UNIQUE (id)
);
INSERT INTO "tables" VALUES(1,'over','double-klondike','{"draw":1}','[{"name":"Ada","player":"ada"},{"name":"Bruno","player":"bruno"}]',1800000002000000,1000000000,X'6F766572',NULL,1,'put away',0,NULL);
INSERT INTO "tables" VALUES(2,'left','klondike','{"draw":1,"passes":0}','[{"name":"Ada","player":"ada"}]',1800000004000000,1000000000,X'','KL1-D1UM-AAAAAAB',1,'put away',0,NULL);
INSERT INTO "tables" VALUES(3,'live','double-klondike','{"draw":1}','[{"name":"Ada","player":"ada"},{"name":"Bruno","player":"bruno"}]',1800000006000000,1000000000,X'6C697665',NULL,1,'live',0,NULL);
CREATE TABLE tokens (
	sha256 TEXT NOT NULL, 
	player TEXT NOT NULL, 
	label TEXT NOT NULL, 
	made_us BIGINT NOT NULL, 
	revoked_us BIGINT, 
	CONSTRAINT pk_tokens PRIMARY KEY (sha256), 
	CONSTRAINT fk_tokens_player FOREIGN KEY(player) REFERENCES players (id)
);
INSERT INTO "tokens" VALUES('ada:000000000000000000000000000000000000000000000000000000000000','ada','',1800000001000000,NULL);
INSERT INTO "tokens" VALUES('bruno:0000000000000000000000000000000000000000000000000000000000','bruno','',1800000001000000,NULL);
INSERT INTO "tokens" VALUES('ffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff','bruno','home',1800000008000000,NULL);
CREATE INDEX ix_players_made_us ON players (made_us);
CREATE INDEX ix_tokens_player ON tokens (player);
CREATE INDEX ix_tables_code ON tables (code);
CREATE INDEX ix_tables_state ON tables (state);
CREATE INDEX ix_result_seats_player_result_number ON result_seats (player, result_number);
CREATE INDEX ix_ratings_pool ON ratings (pool);
COMMIT;
